import { describe, expect, it } from 'vitest';

import type { ConnectionListeners, EngineConnection } from '../src/engine/connection';
import { createEngine, type SearchRequest } from '../src/engine/engine';
import { parseMessage } from '../src/engine/uci';

const ABOUT = { place: 'in a test', options: {}, limits: [], store: false };

/** An engine whose lines the test writes. */
function fake() {
  const sent: string[] = [];
  let listeners: ConnectionListeners | null = null;
  const engine = createEngine((given) => {
    listeners = given;
    const connection: EngineConnection = { status: { kind: 'connecting' }, send: (line) => sent.push(line), close() {} };
    return connection;
  });
  const say = (...lines: string[]) => lines.forEach((line) => listeners?.line(line));
  const open = () => {
    listeners?.status({ kind: 'open', about: ABOUT });
    say('id name Test', 'option name Hash type spin default 16 min 1 max 64', 'option name MultiPV type spin default 1 min 1 max 5');
    say('uciok', 'readyok');
  };
  const lose = () => listeners?.status({ kind: 'connecting', reason: 'lost' });
  const taken = () => sent.splice(0);
  return { engine, say, open, lose, taken };
}

const request = (events: string[], name: string, moves: string[] = []): SearchRequest => ({
  fen: 'F',
  moves,
  go: 'infinite',
  options: { MultiPV: '2' },
  info: (info) => events.push(`${name} depth ${info.depth}`),
  done: (best) => events.push(`${name} ${best}`),
});

describe('engine', () => {
  it('shakes hands, then searches what was wanted meanwhile', () => {
    const { engine, open, say, taken } = fake();
    const events: string[] = [];
    engine.configure({ Hash: '32', Unknown: 'x' });
    engine.search(request(events, 'a', ['e2e4']));
    expect(taken()).toEqual([]);
    open();
    expect(taken()).toEqual([
      'uci', 'setoption name Hash value 32', 'isready', 'setoption name MultiPV value 2', 'position fen F moves e2e4', 'go infinite',
    ]);
    expect(engine.ready.value).toBe(true);
    say('info depth 3 multipv 1 score cp 12 pv e7e5', 'bestmove e7e5');
    expect(events).toEqual(['a depth 3', 'a e7e5']);
  });

  it('hears only the newest search', () => {
    const { engine, open, say, taken } = fake();
    const events: string[] = [];
    open();
    engine.search(request(events, 'a'));
    taken();
    engine.search(request(events, 'b'));
    expect(taken()).toEqual(['stop', 'position fen F', 'go infinite']);
    say('info depth 9 score cp 0 pv a2a3', 'bestmove a2a3', 'info depth 1 score cp 0 pv b2b3', 'bestmove b2b3');
    expect(events).toEqual(['b depth 1', 'b b2b3']);
  });

  it('says nothing of a search that was stopped, and stops only its own', () => {
    const { engine, open, say, taken } = fake();
    const events: string[] = [];
    open();
    const stopA = engine.search(request(events, 'a'));
    stopA();
    say('bestmove a2a3');
    engine.search(request(events, 'b'));
    taken();
    stopA();
    expect(taken()).toEqual([]);
    say('bestmove b2b3');
    expect(events).toEqual(['b b2b3']);
  });

  it('begins again after a lost connection', () => {
    const { engine, open, lose, taken } = fake();
    const events: string[] = [];
    open();
    engine.search(request(events, 'a'));
    lose();
    expect(engine.ready.value).toBe(false);
    taken();
    open();
    expect(taken().slice(-2)).toEqual(['position fen F', 'go infinite']);
  });

  it('sets options between searches and goes on', () => {
    const { engine, open, say, taken } = fake();
    const events: string[] = [];
    open();
    engine.search(request(events, 'a'));
    taken();
    engine.configure({ Hash: '64' });
    expect(taken()).toEqual(['stop', 'setoption name Hash value 64', 'position fen F', 'go infinite']);
    say('bestmove a2a3', 'bestmove b2b3');
    expect(events).toEqual(['a b2b3']);
  });
});

describe('lines', () => {
  it('are read', () => {
    const message = parseMessage(
      'info depth 12 seldepth 20 multipv 2 score cp -31 wdl 100 700 200 nodes 9 nps 8 hashfull 1 tbhits 0 time 7 pv e2e4 e7e5',
    );
    expect(message).toMatchObject({
      kind: 'info',
      info: { depth: 12, multipv: 2, score: { kind: 'cp', value: -31 }, wdl: { win: 100, draw: 700, loss: 200 }, pv: ['e2e4', 'e7e5'] },
    });
    expect(parseMessage('info depth 3 score mate -2 upperbound pv a1a2')).toMatchObject({ info: { score: { kind: 'mate', value: -2 }, bound: 'upper' } });
    expect(parseMessage('bestmove (none)')).toEqual({ kind: 'bestmove', best: null, ponder: null });
    expect(parseMessage('info string ERROR bad FEN')).toEqual({ kind: 'text', text: 'bad FEN', error: true });
    expect(parseMessage('option name Clear Hash type button')).toEqual({ kind: 'option', option: { name: 'Clear Hash', type: 'button' } });
    expect(parseMessage('option name SyzygyPath type string default <empty>')).toMatchObject({ option: { default: '' } });
    expect(parseMessage('option name Style type combo default Solid var Solid var Very wild')).toMatchObject({ option: { choices: ['Solid', 'Very wild'] } });
    for (const line of ['', 'info', 'info depth', 'hello', 'option', 'info score', 'info score cp x']) expect(parseMessage(line)).toBeNull();
  });
});
