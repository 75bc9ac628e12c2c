/**
 * An engine as the rest of the page uses it: one search at a time, the newest wins. It makes the handshake, sets options,
 * and begins again by itself when the connection was lost.
 */

import { signal, type ReadonlySignal } from '@preact/signals';

import type { Connect, ConnectionStatus, EngineConnection, StoredAnalysis, StoredQuery } from './connection';
import { parseMessage, type Info, type OptionDeclaration } from './uci';

export interface SearchRequest {
  /** Where the game starts. */
  readonly fen: string;
  /** The moves since then, in UCI with castling as king takes rook. */
  readonly moves: readonly string[];
  /** What follows `go`. */
  readonly go: string;
  /** Options that this search needs, besides those that the user has set. */
  readonly options: Readonly<Record<string, string>>;
  /** A line of findings. */
  info?(info: Info): void;
  /** The search has ended by itself: the move in UCI, or `null` where there is none. Not called for a search that was
   * stopped or replaced. */
  done?(best: string | null): void;
}

export interface Engine {
  readonly status: ReadonlySignal<ConnectionStatus>;
  /** The handshake is done. */
  readonly ready: ReadonlySignal<boolean>;
  readonly name: ReadonlySignal<string>;
  readonly options: ReadonlySignal<readonly OptionDeclaration[]>;
  /** The last thing that the engine told the user. */
  readonly notice: ReadonlySignal<{ readonly text: string; readonly error: boolean } | null>;
  /** Sets what the user has chosen; it is set again after each new connection. */
  configure(values: Readonly<Record<string, string>>): void;
  press(button: string): void;
  newGame(): void;
  /** Searches this and nothing else; gives the way to end it, which does nothing once something else is searched. */
  search(request: SearchRequest): () => void;
  stored(query: StoredQuery): Promise<StoredAnalysis | null>;
  dismissNotice(): void;
}

/** What the page relies on in every search. */
const ALWAYS: Readonly<Record<string, string>> = { UCI_Chess960: 'true', UCI_ShowWDL: 'true' };

export function createEngine(connect: Connect): Engine {
  const status = signal<ConnectionStatus>({ kind: 'connecting' });
  const ready = signal(false);
  const name = signal('Rufous');
  const options = signal<readonly OptionDeclaration[]>([]);
  const notice = signal<{ text: string; error: boolean } | null>(null);

  let configured: Readonly<Record<string, string>> = {};
  /** What the engine was told last, by option. */
  let told = new Map<string, string>();
  let declared: OptionDeclaration[] = [];
  /** The search that is wanted, if any. */
  let wanted: SearchRequest | null = null;
  /** Searches whose `bestmove` is still to come, in order; nobody listens to those that are not live. */
  let pending: { readonly request: SearchRequest; live: boolean }[] = [];

  const connection: EngineConnection = connect({
    line: hear,
    status(next) {
      status.value = next;
      ready.value = false;
      pending = [];
      told = new Map();
      declared = [];
      if (next.kind === 'open') connection.send('uci');
    },
  });

  function hear(line: string): void {
    const message = parseMessage(line);
    switch (message?.kind) {
      case 'name':
        name.value = message.name;
        break;
      case 'option':
        declared.push(message.option);
        break;
      case 'uciok':
        options.value = declared;
        setOptions({ ...ALWAYS, ...configured });
        connection.send('isready');
        break;
      case 'readyok':
        ready.value = true;
        if (wanted) begin(wanted);
        break;
      case 'info':
        if (pending[0]?.live) pending[0].request.info?.(message.info);
        break;
      case 'bestmove': {
        const ended = pending.shift();
        if (ended?.live) {
          wanted = null;
          ended.request.done?.(message.best);
        }
        break;
      }
      case 'text':
        if (message.error) notice.value = { text: message.text, error: true };
        break;
      default:
        break;
    }
  }

  function setOptions(values: Readonly<Record<string, string>>): void {
    for (const [option, value] of Object.entries(values)) {
      const known = options.value.some((declaration) => declaration.name === option);
      if (known && told.get(option) !== value) {
        told.set(option, value);
        connection.send(`setoption name ${option} value ${value}`);
      }
    }
  }

  /** Ends the search; its `bestmove` is still to come, but means nothing any more. */
  function interrupt(): void {
    if (pending.some(({ live }) => live)) connection.send('stop');
    for (const search of pending) search.live = false;
  }

  function begin(request: SearchRequest): void {
    interrupt();
    setOptions(request.options);
    const moves = request.moves.length > 0 ? ` moves ${request.moves.join(' ')}` : '';
    connection.send(`position fen ${request.fen}${moves}`);
    connection.send(`go ${request.go}`);
    pending.push({ request, live: true });
  }

  return {
    status,
    ready,
    name,
    options,
    notice,
    configure(values) {
      configured = values;
      if (!ready.value) return;
      // An option is set while nothing is searched.
      interrupt();
      setOptions(values);
      if (wanted) begin(wanted);
    },
    press(button) {
      interrupt();
      connection.send(`setoption name ${button}`);
      if (wanted) begin(wanted);
    },
    newGame() {
      wanted = null;
      interrupt();
      connection.send('ucinewgame');
    },
    search(request) {
      wanted = request;
      if (ready.value) begin(request);
      return () => {
        if (wanted !== request) return;
        wanted = null;
        interrupt();
      };
    },
    stored: (query) => connection.stored?.(query) ?? Promise.resolve(null),
    dismissNotice() {
      notice.value = null;
    },
  };
}
