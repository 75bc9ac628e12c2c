/** The engine in this browser: the worker of the npm package `rufous`, which a static host serves beside the page. */

import type { Connect, ConnectionStatus, EngineSurroundings } from './connection';

/** Says that the engine is loaded; the page's own handshake comes after it. */
const LOADED = 'readyok';
const ERROR = 'info string ERROR ';

/** Runs the engine of this script. */
export function connectToWorker(script: URL): Connect {
  return (listeners) => {
    let status: ConnectionStatus = { kind: 'connecting', reason: 'Loading the engine…' };
    let trouble: string | null = null;
    const change = (next: ConnectionStatus): void => {
      if (status.kind === 'closed') return;
      status = next;
      listeners.status(next);
    };
    const worker = new Worker(script, { name: 'rufous' });
    worker.onmessage = ({ data }: MessageEvent<string>) => {
      if (status.kind === 'open') listeners.line(data);
      else if (data.startsWith(ERROR)) trouble = data.slice(ERROR.length);
      else if (data === LOADED) change({ kind: 'open', about: surroundings() });
    };
    worker.onerror = (event) => {
      worker.terminate();
      change({ kind: 'closed', reason: trouble ?? (event.message || 'The engine could not be loaded.') });
    };
    worker.postMessage('isready');
    return {
      send(line) {
        if (status.kind === 'open') worker.postMessage(line);
      },
      get status() {
        return status;
      },
      close() {
        worker.terminate();
        change({ kind: 'closed', reason: 'The engine has exited.' });
      },
    };
  };
}

function surroundings(): EngineSurroundings {
  const threads = self.crossOriginIsolated
    ? `up to ${navigator.hardwareConcurrency} threads`
    : 'one thread, since the page does not share memory yet; load it again to have more';
  return { place: 'in this browser', options: {}, limits: [threads, 'no files: neither tablebases nor books'], store: false };
}
