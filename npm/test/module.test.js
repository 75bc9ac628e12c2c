/** The module for programs. */

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { builds } from './support.js';

const { Rufous, parseInfo } = await import('../index.js');

test('info lines are read', () => {
  assert.deepEqual(
    parseInfo('info depth 9 seldepth 14 multipv 2 score cp -31 lowerbound wdl 10 980 10 nodes 5000 nps 700000 hashfull 3 tbhits 0 time 7 pv e2e4 e7e5'),
    {
      depth: 9, selectiveDepth: 14, multiPv: 2, score: { centipawns: -31, bound: 'lower', wdl: { win: 10, draw: 980, loss: 10 } },
      nodes: 5000, nodesPerSecond: 700000, hashFull: 3, tablebaseHits: 0, time: 7, pv: ['e2e4', 'e7e5'],
    },
  );
  assert.deepEqual(parseInfo('info depth 3 score mate -2 pv a2a3').score, { mate: -2 });
  for (const line of ['info string score cp 5', 'info depth 5 currmove e2e4', 'bestmove e2e4', '']) assert.equal(parseInfo(line), null);
});

for (const { name, options, skip } of builds) {
  suite(`module with ${name}`, { skip }, () => {
    test('analyses, one request after the other', async () => {
      const engine = await Rufous.create(options);
      const depths = [];
      const first = engine.analyse({ depth: 7, multiPv: 2 });
      const second = engine.bestMove({ fen: '6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1', nodes: 3000 });
      for await (const info of first) depths.push(info.depth);
      assert.equal(Math.max(...depths), 7);
      const { bestMove, lines } = await first.result;
      assert.equal(lines.length, 2);
      assert.equal(lines[0].pv[0], bestMove);
      assert.equal(await second, 'a1a8');
      assert.equal(await engine.bestMove({ fen: '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1', depth: 3 }), null);
      await engine.terminate();
    });

    test('rejects a position that makes no sense, and goes on', async () => {
      const engine = await Rufous.create(options);
      for (const request of [{ fen: '8/8/8/8/8/8/8/K7 w - - 0 1', nodes: 1000 }, { moves: ['e2e5'] }]) {
        await assert.rejects(engine.bestMove(request), (error) => error instanceof Error && error.message.length > 10);
      }
      assert.equal(await engine.bestMove({ fen: '6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1', nodes: 3000 }), 'a1a8');
      await engine.terminate();
    });

    test('is stopped by a signal, by leaving the loop and by stop', async () => {
      const engine = await Rufous.create(options);
      const stopper = new AbortController();
      const analysis = engine.analyse({ signal: stopper.signal });
      for await (const { depth } of analysis) if (depth >= 4) stopper.abort();
      assert.ok((await analysis.result).bestMove);
      for await (const { depth } of engine.analyse()) if (depth >= 3) break;
      const third = engine.analyse();
      for await (const { depth } of third) if (depth >= 3) third.stop();
      await assert.rejects(engine.analyse({ signal: stopper.signal }).result, { name: 'AbortError' });
      assert.throws(() => engine.analyse({ nodes: 0.5 }), RangeError);
      assert.throws(() => engine.analyse({ fen: 'x\nquit' }), TypeError);
      assert.ok(await engine.bestMove({ nodes: 500 }));
      await engine.terminate();
      await assert.rejects(engine.bestMove({ nodes: 5 }));
    });

    test('what the end of an engine leaves open is rejected', async () => {
      const engine = await Rufous.create(options);
      const { result } = engine.analyse();
      const rejected = assert.rejects(result);
      await engine.terminate();
      await rejected;
      await assert.rejects(Rufous.create({ ...options, signal: AbortSignal.abort() }), { name: 'AbortError' });
      await assert.rejects(Rufous.create({ ...options, files: { network: import.meta.url } }), /network/);
      await assert.rejects(Rufous.create({ ...options, files: { network: 'file:///nowhere' } }), /nowhere/);
    });

    test('fifty engines are made and freed, some at once', async () => {
      const memory = () => {
        globalThis.gc?.();
        return process.memoryUsage().rss / 2 ** 20;
      };
      const rounds = [];
      for (let round = 0; round < 10; round += 1) {
        const engines = await Promise.all(Array.from({ length: 5 }, () => Rufous.create({ ...options, hash: 1 })));
        const moves = await Promise.all(engines.map((engine) => engine.bestMove({ nodes: 200 })));
        assert.equal(new Set(moves).size, 1);
        await Promise.all(engines.map((engine) => engine.terminate()));
        rounds.push(memory());
      }
      // What the first rounds took is used again. An engine has about 100 MiB; those of one round may not be given back yet.
      const grown = Math.min(...rounds.slice(5)) - Math.min(...rounds.slice(0, 5));
      console.log(`# the second half of fifty engines took ${grown.toFixed(0)} MiB more than the first`);
      assert.ok(grown < 250, `${rounds.map(Math.round)} MiB after each five engines`);
    });
  });
}
