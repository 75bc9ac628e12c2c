/**
 * Rufous in a Worker: every message to it is a line of UCI, and so is every message from it.
 *
 *     const engine = new Worker('rufous.js');
 *     engine.onmessage = ({ data }) => console.log(data);
 *     engine.postMessage('go movetime 1000');
 *
 * It is a plain script, for workers of both types, in browsers and in Node. With shared memory (a page that is
 * cross-origin isolated, or Node 22 and newer) the search has threads, each a further Worker with this same script;
 * elsewhere it runs in this Worker and listens for messages in between.
 *
 * A message that is an object comes from index.js or from this script itself, never from a site:
 * { wasm, network, threads } before the first line tells where the files are (addresses, or what was loaded already).
 */
(() => {
  'use strict';

  const node = typeof process === 'object' && !!process.versions?.node && !process.browser;
  const builtin = (name) => process.getBuiltinModule(name);
  const workers = node ? builtin('node:worker_threads') : null;
  const parent = node ? workers.parentPort : self;
  const here = node ? builtin('node:url').pathToFileURL(process.argv[1] ?? '').href : self.location.href;

  const post = (message, transfer) => parent.postMessage(message, transfer);
  const listen = (target, hear) =>
    node ? target.on('message', hear) : target.addEventListener('message', (event) => hear(event.data));

  /** Pages of 64 KiB that the module with threads is linked for; a device may have room for fewer at the most. */
  const FIRST_PAGES = 512;
  const MOST_PAGES = [32768, 16384, 8192, 4096];

  // Threads of one engine agree on the time by the clock of the page.
  const now = () => performance.timeOrigin + performance.now();

  function textAt(memory, at, length) {
    // A copy, since shared memory cannot be decoded.
    return new TextDecoder().decode(new Uint8Array(memory.buffer, at, length).slice());
  }

  function lastWords(memory, at, length) {
    post(`info string ERROR ${textAt(memory, at, length).replaceAll('\n', ' ')}`);
  }

  // ---- A thread of the search --------------------------------------------------------------------------------

  function runThread({ module, memory, stackEnd }) {
    const imports = {
      env: { memory },
      rufous: {
        now,
        random: Math.random,
        say: () => {},
        wake: () => post({ wake: true }),
        die: (at, length) => lastWords(memory, at, length),
        start_thread: (end) => post({ startThread: end }),
      },
    };
    const { exports } = new WebAssembly.Instance(module, imports);
    // The thread's own variables lie at the end of its stack.
    const align = exports.__tls_align?.value || 16;
    const variables = Math.floor((stackEnd - exports.__tls_size.value) / align) * align;
    exports.__stack_pointer.value = Math.floor(variables / 16) * 16;
    exports.__wasm_init_tls(variables);
    exports.thread_main();
  }

  // ---- The conversation --------------------------------------------------------------------------------------

  /** A file from an address; in Node also from the disk. */
  async function open(address) {
    if (node && address.startsWith('file:')) {
      return new Response(await builtin('node:fs/promises').readFile(new URL(address)));
    }
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
    return response;
  }

  async function compile(address) {
    const response = await open(address);
    // Compiled while it comes, where the server says that it is WebAssembly.
    const streams = WebAssembly.compileStreaming && response.headers.get('content-type') === 'application/wasm';
    return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  }

  /** The network; a server may or may not have unpacked it. */
  async function loadNetwork(address) {
    const bytes = new Uint8Array(await (await open(address)).arrayBuffer());
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(unpacked).arrayBuffer());
  }

  function canHaveThreads() {
    if (typeof SharedArrayBuffer === 'undefined') return false;
    // The first compiler of Node 20 miscompiles waiting.
    return node ? Number(process.versions.node.split('.')[0]) >= 22 : self.crossOriginIsolated === true;
  }

  function sharedMemory() {
    for (const maximum of MOST_PAGES) {
      try {
        return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared: true });
      } catch {
        // A smaller one may do.
      }
    }
    return null;
  }

  // ---- Hearing messages during a search, with one thread -----------------------------------------------------

  /**
   * Where neither memory is shared nor stacks can be put aside, one thing can still be asked without waiting for a
   * message: whether an address of a blob is still good. So a second Worker has the engine, this one passes lines on,
   * and takes addresses back to say that an urgent line has come.
   */
  const URGENT = { stop: 1, ponderhit: 1, isready: 16 };

  class Relay {
    #engine;
    #addresses = { any: [] };
    #ended = false;

    constructor(options) {
      this.#engine = new Worker(here, { name: 'rufous' });
      listen(this.#engine, (message) => {
        if (typeof message === 'string') post(message);
        else this.#end();
      });
      this.#engine.addEventListener('error', (event) => fail(event.error ?? new Error(event.message)));
      this.#renew();
      this.#engine.postMessage({ ...options, behindRelay: true });
    }

    #renew() {
      for (const [word, count] of Object.entries({ any: 1, ...URGENT })) {
        const list = (this.#addresses[word] ??= []);
        while (list.length < count) list.push(URL.createObjectURL(new Blob([])));
      }
    }

    hear(line) {
      if (this.#ended) return;
      const words = line === null ? ['quit'] : String(line).trim().split(/\s+/, 1);
      const word = words[0] === 'quit' ? 'stop' : words[0];
      if (word in URGENT) {
        for (const list of [this.#addresses.any, this.#addresses[word]]) URL.revokeObjectURL(list.shift());
        this.#renew();
      }
      // The line comes as a message too, and is forgotten there if it was heard before.
      this.#engine.postMessage({ line, word: word in URGENT ? word : null, addresses: this.#addresses });
    }

    #end() {
      this.#ended = true;
      self.close();
    }
  }

  const relayed = {
    addresses: { any: [] },
    heardBefore: { stop: 0, ponderhit: 0, isready: 0 },

    /** A line that has come by a message. */
    receive({ line, word, addresses }, hear) {
      this.addresses = addresses;
      if (word !== null && this.heardBefore[word] > 0) {
        this.heardBefore[word] -= 1;
        if (String(line).trim() === word) return;
      }
      hear(line);
    },

    /** Looks for urgent lines. */
    look(hear) {
      if (this.addresses.any.length > 0 && isGood(this.addresses.any[0])) return;
      for (const word of Object.keys(URGENT)) {
        const list = this.addresses[word] ?? [];
        while (list.length > 0 && !isGood(list[0])) {
          list.shift();
          this.heardBefore[word] += 1;
          hear(word);
        }
      }
    },
  };

  function isGood(address) {
    const request = new XMLHttpRequest();
    request.open('GET', address, false);
    try {
      request.send();
      return true;
    } catch {
      return false;
    }
  }

  /** Sleeps without listening. */
  function rest(milliseconds) {
    const until = now() + milliseconds;
    while (now() < until);
  }

  /** What the host gives to a module without threads, so that it hears messages while it works. */
  function pauses(hear, behindRelay) {
    if (node) {
      const nobody = new Int32Array(new SharedArrayBuffer(4));
      const take = () => {
        let heard = false;
        for (let next; (next = workers.receiveMessageOnPort(parent)); heard = true) hear(next.message);
        return heard;
      };
      return {
        pause: (milliseconds) => {
          if (!take() && milliseconds > 0) {
            Atomics.wait(nobody, 0, 0, milliseconds);
            take();
          }
        },
        async: false,
      };
    }
    if (behindRelay) {
      return {
        pause: (milliseconds) => {
          relayed.look((line) => engine.hear(line));
          rest(Math.min(milliseconds, 5));
        },
        async: false,
      };
    }
    if (WebAssembly.Suspending && WebAssembly.promising) {
      // The module's stack is put aside while the Worker's other messages have their turn.
      const { port1, port2 } = new MessageChannel();
      let turn = null;
      port1.onmessage = () => turn();
      const pause = (milliseconds) =>
        new Promise((resolve) => {
          if (milliseconds > 0) {
            setTimeout(resolve, milliseconds);
          } else {
            turn = resolve;
            port2.postMessage(null);
          }
        });
      return { pause: new WebAssembly.Suspending(pause), async: true };
    }
    throw new Error('no way to listen during a search');
  }

  class Engine {
    #waiting = [];
    #exports = null;
    #memory = null;
    #threads = [];
    #work = null;
    #working = false;
    #more = false;
    #ended = false;

    /** A line, or the end of all lines. */
    hear(line) {
      if (this.#ended) return;
      if (this.#exports === null) {
        this.#waiting.push(line);
        return;
      }
      if (line === null) {
        this.#goOn(this.#exports.end());
        return;
      }
      for (const part of String(line).split(/[\r\n]+/)) {
        if (part === '' || this.#ended) continue;
        const bytes = new TextEncoder().encode(part);
        const at = this.#exports.allocate(bytes.length);
        new Uint8Array(this.#memory.buffer, at, bytes.length).set(bytes);
        this.#goOn(this.#exports.hear(at, bytes.length));
      }
    }

    attend() {
      if (!this.#ended) this.#goOn(this.#exports.attend());
    }

    async load({ wasm, network, threads, behindRelay }) {
      this.behindRelay = behindRelay;
      const shared = threads && canHaveThreads() ? sharedMemory() : null;
      const pausing = shared ? null : pauses(receive, behindRelay);
      const file = shared ? wasm.threads : wasm.single;
      const [module, bytes] = await Promise.all([
        file instanceof WebAssembly.Module ? file : compile(file),
        network instanceof Uint8Array ? network : loadNetwork(network),
      ]);
      const host = {
        now,
        random: Math.random,
        say: (at, length) => {
          for (const line of textAt(this.#memory, at, length).split('\n')) if (line !== '') post(line);
        },
        wake: () => {},
        die: (at, length) => lastWords(this.#memory, at, length),
      };
      if (shared) {
        // Called from inside the module, which must not be entered again before it returns.
        host.wake = () => queueMicrotask(() => this.attend());
        host.start_thread = (stackEnd) => this.#startThread(module, shared, stackEnd);
      } else {
        host.pause = pausing.pause;
      }
      const instance = await WebAssembly.instantiate(module, { env: { memory: shared }, rufous: host });
      const { exports } = instance;
      this.#memory = shared ?? exports.memory;
      if (pausing) this.#work = pausing.async ? WebAssembly.promising(exports.work) : exports.work;
      const at = exports.allocate(bytes.length);
      new Uint8Array(this.#memory.buffer, at, bytes.length).set(bytes);
      exports.begin(at, bytes.length);
      this.#exports = exports;
      this.#waiting.splice(0).forEach((line) => this.hear(line));
    }

    /** Does what takes its time, where there are no threads for it. */
    async #goOn(alive) {
      if (!alive) this.#end();
      // Lines that come while something is done may leave more to do, which the loop below sees.
      this.#more = true;
      if (this.#working || !this.#work) return;
      this.#working = true;
      try {
        while (this.#more && !this.#ended) {
          this.#more = false;
          while (!this.#ended && (await this.#work())) {
            if (!this.#exports.attend()) this.#end();
          }
        }
      } catch (error) {
        // The module is dead; its last words were told.
        this.#ended = true;
        fail(error);
      } finally {
        this.#working = false;
      }
    }

    #startThread(module, memory, stackEnd) {
      const thread = node ? new workers.Worker(new URL(here)) : new Worker(here, { name: 'rufous' });
      listen(thread, (message) => {
        if (typeof message === 'string') post(message);
        else if (message.wake) this.attend();
        else this.#startThread(module, memory, message.startThread);
      });
      thread.postMessage({ thread: { module, memory, stackEnd } });
      this.#threads.push(thread);
    }

    #end() {
      this.#ended = true;
      this.#threads.forEach((thread) => thread.terminate());
      if (this.behindRelay) post({ ended: true });
      else if (node) parent.close();
      else self.close();
    }
  }

  /** Tells the page by an `error` event. */
  function fail(error) {
    post(`info string ERROR ${error?.message ?? error}`);
    setTimeout(() => {
      throw error;
    });
  }

  let engine = new Engine();
  let loading = false;

  const files = {
    wasm: { single: new URL('rufous.wasm', here).href, threads: new URL('rufous-threads.wasm', here).href },
    network: new URL('rufous.nnue.gz', here).href,
    threads: true,
  };

  function receive(message) {
    if (message?.thread) {
      runThread(message.thread);
      return;
    }
    if (message?.addresses) {
      relayed.receive(message, (line) => engine.hear(line));
      return;
    }
    const options = message !== null && typeof message === 'object' ? message : null;
    if (!loading) {
      loading = true;
      const all = { ...files, ...options };
      if (needsRelay(all)) engine = new Relay(all);
      else engine.load(all).catch(fail);
    }
    if (!options) engine.hear(message);
  }

  function needsRelay({ threads, behindRelay, suspending = true }) {
    const canSuspend = suspending && WebAssembly.Suspending && WebAssembly.promising;
    return !node && !behindRelay && !canSuspend && !(threads && canHaveThreads());
  }

  listen(parent, receive);
})();
