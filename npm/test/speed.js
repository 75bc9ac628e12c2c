/**
 * Nodes per second of several engines on the same positions, in turn, so that a busy machine is busy for all of them.
 *
 *     node test/speed.js NODES NAME=COMMAND…
 *     node test/speed.js 500000 native=../target/release/rufous "wasm=node cli.js" "lite=node …/stockfish-19-lite-single.js"
 *
 * The speed of each is also told as a part of the first one's. On Linux the time is the processor's, of all threads of the
 * engine, so that what else runs on the machine has little part in it; a search before the first one lets Node compile.
 */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const POSITIONS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R2Q1RK1 w - - 0 10',
  'r2q1rk1/1b2bppp/p2ppn2/1p6/3QP3/1BN1B3/PPP2PPP/R4RK1 w - - 0 14',
  '2r3k1/5pp1/1p2p2p/p2pP3/P2P1P2/1P1R2P1/6KP/8 w - - 0 30',
  '8/5pk1/4p1p1/7p/3B3P/5PP1/2n3K1/8 b - - 0 45',
];

class Player {
  nodes = 0;
  time = 0;

  constructor(name, command) {
    this.name = name;
    const [file, ...words] = command.split(' ');
    this.process = spawn(file, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async ask(line, answer) {
    this.process.stdin.write(`${line}\n`);
    for (;;) {
      const { value } = await this.lines.next();
      if (value === undefined) throw new Error(`${this.name} has ended`);
      if (value.startsWith(answer)) return;
    }
  }

  /** Milliseconds that the processor worked for it until now; where the system does not tell, those that passed. */
  clock() {
    try {
      const words = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8').split(') ')[1].split(' ');
      return 10 * (Number(words[11]) + Number(words[12]));
    } catch {
      return performance.now();
    }
  }

  async measure(fen, nodes) {
    this.process.stdin.write(`ucinewgame\nposition fen ${fen}\n`);
    await this.ask('isready', 'readyok');
    const begun = this.clock();
    await this.ask(`go nodes ${nodes}`, 'bestmove');
    this.time += this.clock() - begun;
    this.nodes += nodes;
  }
}

const nodes = Number(process.argv[2]);
const players = process.argv.slice(3).map((engine) => new Player(...engine.split(/=(.*)/s)));
for (const player of players) {
  await player.ask('uci', 'uciok');
  await player.ask(`go nodes ${nodes}`, 'bestmove');
}
for (const fen of POSITIONS) for (const player of players) await player.measure(fen, nodes);
const speed = ({ nodes, time }) => (1000 * nodes) / time;
for (const player of players) {
  const part = speed(player) / speed(players[0]);
  console.log(`${player.name.padEnd(12)} ${Math.round(speed(player)).toString().padStart(9)} nodes/s  ${part.toFixed(2)}`);
  player.process.stdin.end('quit\n');
}
