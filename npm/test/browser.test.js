/** The Worker and the module in Chromium, with isolation and without. */

import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { launch, serve } from './server.js';
import { builds, has, native, nativeBench } from './support.js';

const { browser, missing } = builds[0].skip ? { missing: builds[0].skip } : await launch();
const folder = fileURLToPath(new URL('..', import.meta.url));

/** The ways in which an engine hears messages while it searches. */
const ways = [
  { name: 'isolated page, threads', isolated: true, options: {}, depth: 13, skip: has('rufous-threads.wasm') ? false : 'not built' },
  { name: 'page without isolation', isolated: false, options: {}, depth: 13 },
  { name: 'page without isolation, browser that cannot put stacks aside', isolated: false, options: { suspending: false }, depth: 9 },
];

suite('in Chromium', { skip: missing ?? false }, () => {
  after(() => browser?.close());

  for (const { name, isolated, options, depth, skip } of ways) {
    suite(name, { skip: skip ?? false }, () => {
      const inPage = async (act, argument) => {
        const server = await serve(folder, { isolated });
        const page = await browser.newPage();
        const errors = [];
        page.on('pageerror', (error) => errors.push(error));
        page.setDefaultTimeout(0);
        try {
          await page.goto(`${server.address}/empty`);
          assert.equal(await page.evaluate(() => self.crossOriginIsolated), isolated);
          await page.evaluate(talkInPage, options);
          const result = await page.evaluate(act, argument);
          assert.deepEqual(errors, []);
          return result;
        } finally {
          await page.close();
          server.end();
        }
      };

      test('bench counts the nodes of the native program', { skip: native ? false : 'RUFOUS_NATIVE is not set' }, async () => {
        const nodes = await inPage(async (depth) => {
          const engine = self.talk();
          const end = /^(\d+) nodes \d+ nps$/;
          return Number(end.exec(await engine.ask(`bench 16 1 ${depth}`, end))[1]);
        }, depth);
        assert.equal(nodes, nativeBench(['16', '1', String(depth)]));
      });

      test('hears stop, isready and ponderhit during a search', async () => {
        const { delays, moves } = await inPage(async () => {
          const engine = self.talk();
          await engine.ask('uci', 'uciok');
          const delays = [];
          for (let round = 0; round < 30; round += 1) {
            await engine.ask('go infinite', 'info depth 6');
            await engine.ask('isready', 'readyok');
            const begun = performance.now();
            await engine.ask('stop', 'bestmove');
            delays.push(performance.now() - begun);
            // A stop right behind the start, and one that is too late, change nothing.
            engine.send('stop', 'go infinite');
            await engine.ask('stop', 'bestmove');
          }
          await engine.ask('go ponder movetime 30', 'info depth 6');
          await engine.ask('ponderhit', 'bestmove');
          await engine.ask('go nodes 3000', 'bestmove');
          return { delays, moves: engine.lines.filter((line) => line.startsWith('bestmove')).length };
        });
        assert.equal(moves, 62);
        delays.sort((a, b) => a - b);
        console.log(`# ${name}: stop to bestmove, median ${delays[15].toFixed(1)} ms, most ${delays.at(-1).toFixed(1)} ms`);
      });

      test('engines are made, ended in mid-search and made again', async () => {
        const best = await inPage(async () => {
          for (let round = 0; round < 10; round += 1) {
            const engine = self.talk();
            await engine.ask('go infinite', 'info depth 3');
            engine.worker.terminate();
          }
          const engine = self.talk();
          engine.send('wonder', 'position fen x', 'go depth x', 'stop', '');
          await engine.ask('isready', 'readyok');
          return engine.ask('go nodes 500', 'bestmove');
        });
        assert.match(best, /^bestmove [a-h]/);
      });

      test('the module works', { skip: options.suspending === false ? 'it has no such option' : false }, async () => {
        const result = await inPage(async () => {
          const { Rufous } = await import('/index.js');
          const engine = await Rufous.create({ hash: 8 });
          const depths = [];
          for await (const { depth } of engine.analyse({ depth: 6 })) depths.push(depth);
          const error = await Rufous.create({ files: { network: '/nowhere' } }).catch((reason) => reason.message);
          await engine.terminate();
          return { depth: Math.max(...depths), error };
        });
        assert.equal(result.depth, 6);
        assert.match(result.error, /nowhere: 404/);
      });
    });
  }
});

/** Runs in the page: the Worker as a site uses it. */
function talkInPage(options) {
  self.talk = () => {
    const worker = new Worker('/rufous.js');
    const lines = [];
    let waiting = [];
    worker.onmessage = ({ data }) => {
      lines.push(data);
      waiting = waiting.filter((waiter) => !waiter(data));
    };
    worker.onerror = (event) => console.error(event.message);
    if (Object.keys(options).length > 0) worker.postMessage(options);
    const send = (...texts) => texts.forEach((text) => worker.postMessage(text));
    const next = (start) =>
      new Promise((resolve) => waiting.push((line) => (start.test?.(line) ?? line.startsWith(start)) && (resolve(line), true)));
    const ask = (line, answer) => {
      const heard = next(answer);
      send(line);
      return heard;
    };
    return { worker, lines, send, ask };
  };
}
