/** Rufous for programs: an engine in a Worker, with promises. See README.md. */

const node = typeof process === 'object' && !!process.versions?.node && !process.browser;

// Written out in full, since bundlers look for just this form.
const worker = () =>
  node
    ? new (process.getBuiltinModule('node:worker_threads').Worker)(new URL('./rufous.js', import.meta.url))
    : new Worker(new URL('./rufous.js', import.meta.url), { name: 'rufous' });
const FILES = {
  wasm: {
    single: new URL('./rufous.wasm', import.meta.url).href,
    threads: new URL('./rufous-threads.wasm', import.meta.url).href,
  },
  network: new URL('./rufous.nnue.gz', import.meta.url).href,
};

/** Numbers of an `info` line by their names in UCI and here. */
const NUMBERS = {
  depth: 'depth',
  seldepth: 'selectiveDepth',
  multipv: 'multiPv',
  nodes: 'nodes',
  nps: 'nodesPerSecond',
  hashfull: 'hashFull',
  tbhits: 'tablebaseHits',
  time: 'time',
};

/** Reads an `info` line; null where it has no score. */
export function parseInfo(line) {
  const words = line.split(' ');
  if (words[0] !== 'info' || words[1] === 'string') return null;
  const info = { multiPv: 1, pv: [] };
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    if (word in NUMBERS) {
      info[NUMBERS[word]] = Number(words[(at += 1)]);
    } else if (word === 'score') {
      const [kind, value] = [words[at + 1], Number(words[at + 2])];
      info.score = kind === 'mate' ? { mate: value } : { centipawns: value };
      at += 2;
    } else if (word === 'lowerbound' || word === 'upperbound') {
      info.score.bound = word === 'lowerbound' ? 'lower' : 'upper';
    } else if (word === 'wdl') {
      const [win, draw, loss] = words.slice(at + 1, at + 4).map(Number);
      info.score.wdl = { win, draw, loss };
      at += 3;
    } else if (word === 'pv') {
      info.pv = words.slice(at + 1);
      break;
    }
  }
  return info.score ? info : null;
}

const ERROR = 'info string ERROR ';

/** A list that somebody fills and somebody else takes from. */
class Stream {
  #items = [];
  #takers = [];
  #end = null;

  push(item) {
    const taker = this.#takers.shift();
    if (taker) taker.resolve({ value: item, done: false });
    else this.#items.push(item);
  }

  end(error) {
    this.#end = { error };
    for (const taker of this.#takers.splice(0)) this.#finish(taker);
  }

  next() {
    return new Promise((resolve, reject) => {
      if (this.#items.length > 0) resolve({ value: this.#items.shift(), done: false });
      else if (this.#end) this.#finish({ resolve, reject });
      else this.#takers.push({ resolve, reject });
    });
  }

  #finish({ resolve, reject }) {
    if (this.#end.error) reject(this.#end.error);
    else resolve({ value: undefined, done: true });
  }
}

/** The words of `go` and `position` for a request. */
function commands({ fen, moves = [], depth, nodes, movetime, mate, infinite, searchMoves = [] }) {
  const start = fen ? `position fen ${fen}` : 'position startpos';
  const go = ['go'];
  for (const [name, value] of Object.entries({ depth, nodes, movetime, mate })) {
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number above zero`);
    go.push(name, value);
  }
  if (infinite || go.length === 1) go.push('infinite');
  if (searchMoves.length > 0) go.push('searchmoves', ...searchMoves);
  const lines = [moves.length > 0 ? `${start} moves ${moves.join(' ')}` : start, go.join(' ')];
  if (lines.some((line) => /[\r\n]/.test(line))) throw new TypeError('a position has no line breaks');
  return lines;
}

export class Rufous {
  #worker;
  #listeners = new Set();
  /** The end of what was asked for last; requests are carried out one after the other. */
  #last = Promise.resolve();
  #gone = null;
  #atEnd = new Set();

  static async create({ hash, threads, files = {}, singleThreaded = false, signal } = {}) {
    signal?.throwIfAborted();
    const engine = new Rufous();
    // What is wrong with the files, the options or this browser is told in words.
    const errors = [];
    const off = engine.onLine((line) => {
      if (line.startsWith(ERROR)) errors.push(new Error(line.slice(ERROR.length)));
    });
    try {
      engine.#worker.postMessage({ ...FILES, ...files, threads: !singleThreaded });
      if (threads !== undefined) engine.setOption('Threads', threads);
      if (hash !== undefined) engine.setOption('Hash', hash);
      await engine.ready(signal);
      if (errors.length > 0) throw errors[0];
      return engine;
    } catch (error) {
      engine.terminate();
      throw errors[0] ?? error;
    } finally {
      off();
    }
  }

  /** Use {@link Rufous.create}. */
  constructor() {
    this.#worker = worker();
    const heard = (line) => this.#listeners.forEach((listener) => listener(line));
    const failed = (error) => this.#end(error instanceof Error ? error : new Error(error?.message || 'the engine failed'));
    if (node) {
      this.#worker.on('message', heard);
      this.#worker.on('error', failed);
      this.#worker.on('exit', () => this.#end(new Error('the engine has ended')));
    } else {
      this.#worker.addEventListener('message', (event) => heard(event.data));
      this.#worker.addEventListener('error', failed);
    }
  }

  #end(error) {
    this.#gone ??= error;
    this.#atEnd.forEach((atEnd) => atEnd(this.#gone));
    this.#atEnd.clear();
  }

  /** Calls `act` with a way to settle, and settles also when the engine ends. */
  #until(act) {
    return new Promise((resolve, reject) => {
      if (this.#gone) {
        reject(this.#gone);
        return;
      }
      const done = (settle) => (value) => {
        this.#atEnd.delete(atEnd);
        settle(value);
      };
      const atEnd = done(reject);
      this.#atEnd.add(atEnd);
      act(done(resolve), atEnd);
    });
  }

  /** Does this after everything that was asked for before. */
  #inTurn(act) {
    const result = this.#last.then(act);
    this.#last = result.catch(() => {});
    return result;
  }

  send(line) {
    if (this.#gone) throw this.#gone;
    this.#worker.postMessage(line);
  }

  onLine(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  setOption(name, value) {
    if (/[\r\n]/.test(`${name}${value ?? ''}`)) throw new TypeError('an option has no line breaks');
    this.send(value === undefined ? `setoption name ${name}` : `setoption name ${name} value ${value}`);
  }

  newGame() {
    this.send('ucinewgame');
  }

  ready(signal) {
    return this.#inTurn(() =>
      this.#until((resolve, reject) => {
        signal?.throwIfAborted();
        const settle = (act) => {
          off();
          signal?.removeEventListener('abort', aborted);
          act();
        };
        const off = this.onLine((line) => {
          if (line === 'readyok') settle(resolve);
        });
        const aborted = () => settle(() => reject(signal.reason));
        signal?.addEventListener('abort', aborted);
        this.send('isready');
      }),
    );
  }

  analyse(request = {}) {
    const { signal, multiPv = 1 } = request;
    const lines = commands(request);
    const infos = new Stream();
    let started = false;
    let over = false;
    const stop = () => {
      if (started && !over) this.send('stop');
    };
    const result = this.#inTurn(() => {
      signal?.throwIfAborted();
      return this.#until((resolve, reject) => {
        const last = [];
        let refused = null;
        const off = this.onLine((line) => {
          const info = parseInfo(line);
          if (info) {
            if (!info.score.bound) last[info.multiPv - 1] = info;
            infos.push(info);
          } else if (line.startsWith(ERROR)) {
            // The engine keeps its old position, about which nobody asked.
            refused ??= new Error(line.slice(ERROR.length));
            this.send('stop');
          } else if (line.startsWith('bestmove ')) {
            off();
            if (refused) return reject(refused);
            const [, best, , ponder] = line.split(' ');
            const move = best === '(none)' || best === '0000' ? null : best;
            resolve({ bestMove: move, ponder: ponder ?? null, lines: last.filter(Boolean) });
          }
        });
        this.setOption('MultiPV', multiPv);
        lines.forEach((line) => this.send(line));
        started = true;
        signal?.addEventListener('abort', stop, { once: true });
      });
    }).finally(() => {
      over = true;
      signal?.removeEventListener('abort', stop);
    });
    result.then(
      () => infos.end(),
      (error) => infos.end(error),
    );
    return {
      result,
      stop,
      [Symbol.asyncIterator]: () => ({
        next: () => infos.next(),
        return: async () => {
          stop();
          await result.catch(() => {});
          return { value: undefined, done: true };
        },
      }),
    };
  }

  async bestMove(request) {
    return (await this.analyse(request).result).bestMove;
  }

  terminate() {
    this.#end(new Error('the engine was ended'));
    return this.#worker.terminate();
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.terminate();
  }
}

export default Rufous;
