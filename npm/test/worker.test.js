/** The Worker in Node, in both builds: lines in, lines out. */

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { BENCH_END, Talk, builds, native, nativeBench, nodesSearched } from './support.js';

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

for (const { name, options, skip } of builds) {
  suite(`worker with ${name}`, { skip }, () => {
    const talk = async (act) => {
      const engine = new Talk(options);
      try {
        await act(engine);
      } finally {
        await engine.terminate();
      }
      assert.equal(engine.error, undefined);
    };

    test('introduces itself and is ready', () =>
      talk(async (engine) => {
        await engine.ask('uci', 'uciok');
        assert.match(engine.lines[0], /^id name Rufous/);
        assert.ok(engine.lines.some((line) => line.startsWith('option name Hash type spin')));
        await engine.ask('isready', 'readyok');
      }));

    test('bench counts the nodes of the native program', { skip: native ? false : 'RUFOUS_NATIVE is not set' }, () =>
      talk(async (engine) => {
        const depth = options.singleThreaded ? '13' : '9';
        await engine.ask(`bench 16 1 ${depth}`, BENCH_END);
        assert.equal(nodesSearched(engine.lines), nativeBench(['16', '1', depth]));
      }));

    test('is built with vectors', () =>
      talk(async (engine) => {
        await engine.ask('compiler', 'Debug');
        assert.ok(engine.lines.some((line) => line.includes('simd128')));
      }));

    test('hears stop, isready and ponderhit during a search', () =>
      talk(async (engine) => {
        await engine.ask('go infinite', 'info depth 8');
        await engine.ask('isready', 'readyok');
        await engine.ask('stop', 'bestmove');
        await engine.ask('go ponder movetime 50', 'info depth 8');
        assert.ok(!engine.lines.at(-1).startsWith('bestmove'));
        await engine.ask('ponderhit', 'bestmove');
        // A search without end that has nothing left to search still waits for its stop.
        engine.send('position startpos', 'go infinite depth 3');
        await engine.ask('isready', 'readyok');
        await engine.ask('stop', 'bestmove');
      }));

    test('a thousand searches are stopped, each with one move', () =>
      talk(async (engine) => {
        const delays = [];
        for (let round = 0; round < 1000; round += 1) {
          engine.send(`position startpos moves ${['e2e4', 'd2d4', 'g1f3', 'c2c4'][round % 4]}`);
          if (round % 3 === 0) await engine.ask('go infinite', 'info depth 3');
          else engine.send('go infinite');
          const begun = performance.now();
          await engine.ask('stop', 'bestmove');
          delays.push(performance.now() - begun);
        }
        assert.equal(engine.lines.filter((line) => line.startsWith('bestmove')).length, 1000);
        console.log(`# stop to bestmove: median ${median(delays).toFixed(1)} ms, most ${Math.max(...delays).toFixed(1)} ms`);
      }));

    test('bad lines get words, and everything goes on', () =>
      talk(async (engine) => {
        const bad = [
          'wonder', '', '   ', '\0\0', 'position fen x', 'position fen 8/8/8/8/8/8/8/8 w - - 0 1', 'go depth x', 'go nodes -1',
          'position startpos moves e2e5', 'setoption', 'setoption name Threads value 100000', 'setoption name Hash value x',
          'setoption name Hash value 4000000', 'setoption name SyzygyPath value /tmp', 'setoption name EvalFile value x.nnue',
          'setoption name Debug Log File value x', 'setoption name Book File value x', 'export_net x', '\ud800 \u{1f426}', 'x'.repeat(1 << 20), 'uci\nisready\r\n\r\nisready',
          'bench 16 1 5 nowhere', 'register', 'debug on', 'debug off', 'ponderhit', 'stop',
        ];
        engine.send(...bad, 12, true, undefined);
        await engine.ask('isready', 'readyok');
        await engine.ask('isready', 'readyok');
        assert.match(await engine.ask('go nodes 1000', 'bestmove'), /^bestmove [a-h][1-8]/);
        assert.ok(engine.lines.some((line) => line.startsWith('info string ERROR')));
      }));

    test('counts and is stopped', () =>
      talk(async (engine) => {
        await engine.ask('go perft 4', 'Nodes searched: 197281');
        engine.send('go perft 9');
        await engine.ask('isready', 'readyok');
        await engine.ask('stop', 'info string perft stopped');
        engine.send('bench');
        await engine.ask('stop', 'info string stopped before its end');
      }));

    test('quit ends the worker, also during a search', () =>
      talk(async (engine) => {
        engine.send('go infinite', 'quit');
        await engine.ended;
        assert.equal(engine.lines.filter((line) => line.startsWith('bestmove')).length, 1);
      }));

    test('a worker that is ended in mid-search harms nobody', () =>
      talk(async (other) => {
        for (let round = 0; round < 5; round += 1) {
          const engine = new Talk(options);
          await engine.ask('go infinite', 'info depth 5');
          await engine.terminate();
          assert.equal(engine.error, undefined);
        }
        await other.ask('go nodes 2000', 'bestmove');
      }));

    test('two threads search and stop', { skip: options.singleThreaded ? 'one thread' : false }, () =>
      talk(async (engine) => {
        engine.send('setoption name Threads value 2');
        await engine.ask('isready', 'readyok');
        const delays = [];
        for (let round = 0; round < 20; round += 1) {
          await engine.ask('go infinite', 'info depth 6');
          const begun = performance.now();
          await engine.ask('stop', 'bestmove');
          delays.push(performance.now() - begun);
        }
        console.log(`# two threads, stop to bestmove: median ${median(delays).toFixed(1)} ms`);
        engine.send('setoption name Threads value 4', 'setoption name Threads value 1', 'ucinewgame');
        await engine.ask('go nodes 2000', 'bestmove');
      }));
  });
}
