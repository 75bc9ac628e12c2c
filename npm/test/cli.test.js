/** `npx rufous`. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { builds } from './support.js';

const cli = fileURLToPath(new URL('../cli.js', import.meta.url));
const run = (args, input) => spawnSync(process.execPath, [cli, ...args], { input, encoding: 'utf8' });

test('speaks UCI', { skip: builds[0].skip }, () => {
  const { stdout, status } = run([], 'uci\nisready\nposition startpos\ngo nodes 1000\n');
  assert.equal(status, 0);
  assert.match(stdout, /^id name Rufous[^]*uciok\nreadyok\n[^]*bestmove [a-h][1-8]/);
});

test('carries out its arguments', { skip: builds[0].skip }, () => {
  assert.match(run(['go', 'perft', '3']).stdout, /Nodes searched: 8902\n/);
  assert.match(run(['position startpos moves e2e4', 'go perft 2'], '').stdout, /Nodes searched: 600\n/);
});
