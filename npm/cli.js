#!/usr/bin/env node
// Rufous as a UCI program in Node: lines from standard input, lines to standard output. Arguments are commands.

import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

const engine = new Worker(new URL('./rufous.js', import.meta.url));
engine.on('message', (line) => process.stdout.write(`${line}\n`));
engine.on('error', (error) => {
  process.stderr.write(`rufous: ${error.message}\n`);
  process.exitCode = 1;
});
engine.on('exit', () => process.stdin.destroy());
// Nobody reads any more.
process.stdout.on('error', () => process.exit(0));

const commands = process.argv.slice(2);
if (commands.length > 0) {
  // Arguments with a blank in them are a command each, as for the native program; the others belong together.
  const lines = commands.some((command) => /\s/.test(command)) ? commands : [commands.join(' ')];
  lines.forEach((line) => engine.postMessage(line));
  engine.postMessage(null);
} else {
  const input = createInterface({ input: process.stdin, terminal: false });
  input.on('line', (line) => engine.postMessage(line));
  input.on('close', () => engine.postMessage(null));
}
