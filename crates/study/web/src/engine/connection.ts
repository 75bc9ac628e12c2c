/**
 * The one interface between the page and an engine.
 *
 * An engine is something that UCI lines go into and come out of. The WebSocket to `rufous-study serve` is one
 * implementation (`websocket.ts`); a worker that runs the engine as WebAssembly is another. Everything else in the
 * page is written against this file: it may not assume that there is a server.
 *
 * What an implementation promises:
 * - `send` never throws and never waits. Lines that are sent while the connection is not `open` are dropped; whoever
 *   needs the engine starts again from the handshake when the state becomes `open`.
 * - Every `open` is a new engine with default options: nothing of an earlier one is left.
 * - Each `go` is answered by exactly one `bestmove` as long as the connection stays open, and `stop` is heard at once.
 *   A `go` during a search ends that search first, with its `bestmove`.
 */
export interface EngineConnection {
  /** One line to the engine, without a line break. */
  send(line: string): void;
  /** What the connection is now. */
  readonly status: ConnectionStatus;
  /** Ends the engine; the connection is of no more use. */
  close(): void;
  /** What was found about a position before, by anybody with the same store; absent where there is no store. */
  readonly stored?: (query: StoredQuery) => Promise<StoredAnalysis | null>;
}

/** Makes a connection that tells what happens to these listeners. */
export type Connect = (listeners: ConnectionListeners) => EngineConnection;

export interface ConnectionListeners {
  /** A line of the engine, without its line break. */
  line(line: string): void;
  /** The status has changed. */
  status(status: ConnectionStatus): void;
}

export type ConnectionStatus =
  /** Not usable yet, or lost; the implementation is trying by itself. */
  | { readonly kind: 'connecting'; readonly reason?: string }
  | { readonly kind: 'open'; readonly about: EngineSurroundings }
  /** Given up, with the reason in words. */
  | { readonly kind: 'closed'; readonly reason: string };

/** What UCI does not tell about an engine. All of it may be empty. */
export interface EngineSurroundings {
  /** Where the engine runs, in a few words for a person: "on this computer", "in this browser". */
  readonly place: string;
  /** What each option is for, by its name. */
  readonly options: Readonly<Record<string, string>>;
  /** Limits in words that a person may want to know. */
  readonly limits: readonly string[];
  /** Is there a store to ask? */
  readonly store: boolean;
}

export interface StoredQuery {
  /** Where the game starts. */
  readonly fen: string;
  /** The moves since then, in UCI: repetitions have a part in an analysis. */
  readonly moves: readonly string[];
  /** At least so many lines are wanted. */
  readonly lines: number;
  /** At least so many nodes are wanted, where given. */
  readonly nodes?: number;
}

export interface StoredAnalysis {
  readonly depth: number;
  readonly nodes: number;
  /** Name of the engine that found it. */
  readonly engine: string;
  /** The lines as `info` lines of UCI, best first, castling as king takes rook. */
  readonly info: readonly string[];
}
