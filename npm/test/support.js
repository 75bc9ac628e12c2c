/** What the tests share. */

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const has = (file) => existsSync(new URL(`../${file}`, import.meta.url));
export const nodeHasThreads = Number(process.versions.node.split('.')[0]) >= 22;

/** The native program of the same commit, which RUFOUS_NATIVE names. */
export const native = process.env.RUFOUS_NATIVE ?? '';

/** The signature of the search in the native program, with the network for pages. */
export function nativeBench(words) {
  const folder = `${root}nets/web/`;
  const [network] = readdirSync(folder).filter((name) => name.endsWith('.nnue'));
  const input = `setoption name EvalFile value ${folder}${network}\nbench ${words.join(' ')}\nquit\n`;
  const { stdout } = spawnSync(native, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  return nodesSearched(stdout.split('\n'));
}

/** From the last line of a bench. */
export function nodesSearched(lines) {
  return Number(lines.map((line) => BENCH_END.exec(line)).find(Boolean)?.[1]);
}

export const BENCH_END = /^(\d+) nodes \d+ nps$/;

/** The Worker as a site uses it: lines in, lines out. */
export class Talk {
  lines = [];
  #worker;
  #waiting = [];

  constructor({ singleThreaded = false } = {}) {
    this.#worker = new Worker(new URL('../rufous.js', import.meta.url));
    this.ended = new Promise((resolve) => this.#worker.on('exit', resolve));
    this.#worker.on('error', (error) => (this.error = error));
    this.#worker.on('message', (line) => {
      this.lines.push(line);
      this.#waiting = this.#waiting.filter((waiter) => !waiter(line));
    });
    this.#worker.postMessage({ threads: !singleThreaded });
  }

  send(...lines) {
    lines.forEach((line) => this.#worker.postMessage(line));
  }

  /** The next line that begins like this, or matches it. */
  next(start) {
    return new Promise((resolve) => {
      this.#waiting.push((line) => {
        if (!(start instanceof RegExp ? start.test(line) : line.startsWith(start))) return false;
        resolve(line);
        return true;
      });
    });
  }

  ask(line, answer) {
    const heard = this.next(answer);
    this.send(line);
    return heard;
  }

  terminate() {
    return this.#worker.terminate();
  }
}

export const builds = [
  { name: 'one thread', options: { singleThreaded: true }, file: 'rufous.wasm', skip: false },
  {
    name: 'threads',
    options: { singleThreaded: false },
    file: 'rufous-threads.wasm',
    skip: nodeHasThreads ? false : `Node ${process.versions.node} has no threads for WebAssembly; 22 has`,
  },
].map((build) => ({ ...build, skip: build.skip || (has(build.file) ? false : `${build.file} is not built: make wasm`) }));
