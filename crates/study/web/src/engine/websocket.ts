/** The engine of `rufous-study serve`, over a WebSocket that comes back by itself. */

import type { Connect, ConnectionStatus, EngineSurroundings, StoredAnalysis } from './connection';

/** The first attempt to come back waits this long, each further one twice as long up to the largest. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
/** After this long without an answer the store has nothing to say. */
const STORE_WAIT = 1000;

/** Messages of the server that are not UCI begin with a brace. */
interface Notice {
  hello?: { place: string; options: Record<string, string>; limits: string[]; store: boolean };
  refused?: string;
  stored?: { id: number; analysis: StoredAnalysis | null };
}

/** Where the engine of this page listens. */
export function serverAddress(page: Location): string {
  const address = new URL('engine', page.href);
  address.protocol = page.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}

export function connectToServer(address: string): Connect {
  return (listeners) => {
    let socket: WebSocket | null = null;
    let status: ConnectionStatus = { kind: 'connecting' };
    let wait = FIRST_WAIT;
    let timer = 0;
    let refusal: string | undefined;
    let closed = false;
    let nextQuery = 1;
    const queries = new Map<number, (analysis: StoredAnalysis | null) => void>();

    const change = (next: ConnectionStatus) => {
      status = next;
      listeners.status(next);
    };

    const hear = (notice: Notice) => {
      if (notice.hello) {
        wait = FIRST_WAIT;
        refusal = undefined;
        const about: EngineSurroundings = notice.hello;
        change({ kind: 'open', about });
      } else if (notice.refused !== undefined) {
        refusal = notice.refused;
      } else if (notice.stored) {
        queries.get(notice.stored.id)?.(notice.stored.analysis);
      }
    };

    const lost = () => {
      socket = null;
      queries.forEach((answer) => answer(null));
      if (closed) return;
      change({ kind: 'connecting', reason: refusal ?? 'The connection to the engine is lost.' });
      clearTimeout(timer);
      timer = window.setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };

    const open = () => {
      clearTimeout(timer);
      if (closed || socket) return;
      const opened = new WebSocket(address);
      socket = opened;
      opened.onmessage = (event: MessageEvent<unknown>) => {
        if (typeof event.data !== 'string') return;
        if (event.data.startsWith('{')) {
          hear(JSON.parse(event.data) as Notice);
        } else {
          event.data.split('\n').forEach((line) => listeners.line(line));
        }
      };
      opened.onclose = () => {
        if (socket === opened) lost();
      };
    };

    // A laptop that wakes up or finds its network again should not wait for the timer.
    const hurry = () => {
      if (document.visibilityState === 'visible' && status.kind === 'connecting') open();
    };
    window.addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
    open();

    return {
      get status() {
        return status;
      },
      send(line) {
        if (status.kind === 'open' && socket?.readyState === WebSocket.OPEN) socket.send(line);
      },
      close() {
        closed = true;
        clearTimeout(timer);
        window.removeEventListener('online', hurry);
        document.removeEventListener('visibilitychange', hurry);
        socket?.close();
      },
      stored(query) {
        if (status.kind !== 'open' || !status.about.store || !socket) return Promise.resolve(null);
        const id = nextQuery++;
        socket.send(JSON.stringify({ stored: { id, ...query } }));
        return new Promise((resolve) => {
          const answer = (analysis: StoredAnalysis | null) => {
            queries.delete(id);
            resolve(analysis);
          };
          queries.set(id, answer);
          window.setTimeout(answer, STORE_WAIT, null);
        });
      },
    };
  };
}
