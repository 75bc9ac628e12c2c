/** Where the engine's files are; by default beside the module. */
export interface Files {
  /** The address of each build, or the module that was compiled from it. */
  wasm?: { single: string | WebAssembly.Module; threads: string | WebAssembly.Module };
  /** The address of the network, packed with gzip or not, or its bytes. */
  network?: string | Uint8Array;
}

export interface CreateOptions {
  /** Megabytes of the hash table; 16 by default. */
  hash?: number;
  /** Threads that search; 1 by default. More need shared memory, see README.md. */
  threads?: number;
  /** Uses the build without threads even where shared memory is there. */
  singleThreaded?: boolean;
  files?: Files;
  /** Gives up while the engine is being loaded. */
  signal?: AbortSignal;
}

/** A position and how long to look at it; without any limit until it is stopped. */
export interface Request {
  /** The start position by default. */
  fen?: string;
  /** Moves since then, in UCI's notation. */
  moves?: readonly string[];
  depth?: number;
  nodes?: number;
  /** Milliseconds. */
  movetime?: number;
  /** A mate in so many moves is looked for. */
  mate?: number;
  infinite?: boolean;
  /** Only these moves are searched. */
  searchMoves?: readonly string[];
  /** Lines to show; 1 by default. */
  multiPv?: number;
  /** Stops the search. What was found until then is its result. */
  signal?: AbortSignal;
}

/** For the side to move. */
export type Score = ({ centipawns: number; mate?: undefined } | { mate: number; centipawns?: undefined }) & {
  /** The true score is at least (`lower`) or at most (`upper`) this. */
  bound?: 'lower' | 'upper';
  /** Per mille, with the option UCI_ShowWDL. */
  wdl?: { win: number; draw: number; loss: number };
};

export interface Info {
  depth: number;
  selectiveDepth?: number;
  /** The place of this line among those that were asked for, from 1. */
  multiPv: number;
  score: Score;
  nodes?: number;
  nodesPerSecond?: number;
  /** Per mille. */
  hashFull?: number;
  tablebaseHits?: number;
  /** Milliseconds. */
  time?: number;
  /** Moves in UCI's notation. */
  pv: string[];
}

export interface Result {
  /** Null where the game is over. */
  bestMove: string | null;
  /** The answer that is expected. */
  ponder: string | null;
  /** The last exact line for each place, best first. */
  lines: Info[];
}

/** What the search finds, as it goes on. Leaving the loop early stops the search. */
export interface Analysis extends AsyncIterable<Info> {
  /** The end of it. */
  readonly result: Promise<Result>;
  stop(): void;
}

/** An engine in a Worker of its own. Several of them do not know of each other. */
export class Rufous {
  private constructor();
  /** Loads an engine. */
  static create(options?: CreateOptions): Promise<Rufous>;
  /** Searches when everything that was asked for before is done. */
  analyse(request?: Request): Analysis;
  /** Searches and gives the best move, null where the game is over. */
  bestMove(request: Request): Promise<string | null>;
  /** Sets an option of UCI, from the next search on. */
  setOption(name: string, value?: string | number | boolean): void;
  /** What was learned is forgotten. */
  newGame(): void;
  /** Waits until everything that was asked for before is done. */
  ready(signal?: AbortSignal): Promise<void>;
  /** Sends a line of UCI as it is. */
  send(line: string): void;
  /** Hears every line of the engine; the function that is returned ends that. */
  onLine(listener: (line: string) => void): () => void;
  /** Ends the engine at once and frees its memory. What was asked for is rejected. */
  terminate(): void | Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Reads an `info` line of UCI; null where it has no score. */
export function parseInfo(line: string): Info | null;

export default Rufous;
