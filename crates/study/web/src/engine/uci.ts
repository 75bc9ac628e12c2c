/** The lines of UCI that an engine sends, as types. Reading is lenient: what is not understood is `null`. */

export type Score =
  | { readonly kind: 'cp'; readonly value: number }
  /** Moves to mate, negative where the side to move is mated; 0 is mate on the board. */
  | { readonly kind: 'mate'; readonly value: number };

/** Chances in permille, from the side to move. */
export interface Wdl {
  readonly win: number;
  readonly draw: number;
  readonly loss: number;
}

export interface Info {
  readonly depth: number;
  readonly seldepth: number;
  readonly multipv: number;
  readonly score: Score;
  /** The score is only a bound. */
  readonly bound: 'lower' | 'upper' | null;
  readonly wdl: Wdl | null;
  readonly nodes: number;
  readonly nps: number;
  readonly hashfull: number;
  readonly tbhits: number;
  readonly time: number;
  /** Moves in UCI, castling as king takes rook. */
  readonly pv: readonly string[];
}

export type OptionDeclaration = { readonly name: string } & (
  | { readonly type: 'check'; readonly default: boolean }
  | { readonly type: 'spin'; readonly default: number; readonly min: number; readonly max: number }
  | { readonly type: 'combo'; readonly default: string; readonly choices: readonly string[] }
  | { readonly type: 'string'; readonly default: string }
  | { readonly type: 'button' }
);

export type Message =
  | { readonly kind: 'info'; readonly info: Info }
  | { readonly kind: 'text'; readonly text: string; readonly error: boolean }
  | { readonly kind: 'bestmove'; readonly best: string | null; readonly ponder: string | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'option'; readonly option: OptionDeclaration }
  | { readonly kind: 'uciok' }
  | { readonly kind: 'readyok' };

export function parseMessage(line: string): Message | null {
  const words = line.trim().split(/\s+/);
  switch (words[0]) {
    case 'uciok':
      return { kind: 'uciok' };
    case 'readyok':
      return { kind: 'readyok' };
    case 'id':
      return words[1] === 'name' ? { kind: 'name', name: words.slice(2).join(' ') } : null;
    case 'bestmove':
      return { kind: 'bestmove', best: move(words[1]), ponder: words[2] === 'ponder' ? move(words[3]) : null };
    case 'option':
      return parseOption(line);
    case 'info': {
      if (words[1] === 'string') {
        const text = line.trim().replace(/^info\s+string\s*/, '');
        const error = text.startsWith('ERROR ');
        return { kind: 'text', text: error ? text.slice(6) : text, error };
      }
      const info = parseInfo(words);
      return info && { kind: 'info', info };
    }
    default:
      return null;
  }
}

function move(word: string | undefined): string | null {
  return word === undefined || word === '(none)' || word === '0000' ? null : word;
}

function parseInfo(words: readonly string[]): Info | null {
  const numbers: Record<string, number> = {};
  let score: Score | null = null;
  let bound: Info['bound'] = null;
  let wdl: Wdl | null = null;
  let pv: string[] = [];
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? '';
    const number = (ahead: number) => Number(words[i + ahead]);
    if (word === 'score') {
      const kind = words[i + 1];
      const value = number(2);
      if ((kind === 'cp' || kind === 'mate') && Number.isFinite(value)) score = { kind, value };
      i += 2;
    } else if (word === 'lowerbound' || word === 'upperbound') {
      bound = word === 'lowerbound' ? 'lower' : 'upper';
    } else if (word === 'wdl') {
      wdl = { win: number(1), draw: number(2), loss: number(3) };
      i += 3;
    } else if (word === 'pv') {
      pv = words.slice(i + 1);
      break;
    } else if (Number.isFinite(number(1))) {
      numbers[word] = number(1);
      i += 1;
    }
  }
  if (score === null) return null;
  return {
    depth: numbers['depth'] ?? 0,
    seldepth: numbers['seldepth'] ?? 0,
    multipv: numbers['multipv'] ?? 1,
    score,
    bound,
    wdl,
    nodes: numbers['nodes'] ?? 0,
    nps: numbers['nps'] ?? 0,
    hashfull: numbers['hashfull'] ?? 0,
    tbhits: numbers['tbhits'] ?? 0,
    time: numbers['time'] ?? 0,
    pv,
  };
}

function parseOption(line: string): Message | null {
  const match = /^\s*option\s+name\s+(.+?)\s+type\s+(check|spin|combo|string|button)\b\s*(.*)$/.exec(line);
  if (!match) return null;
  const [, name = '', type, rest = ''] = match;
  const field = (key: string) => new RegExp(`(?:^|\\s)${key}\\s+(\\S+)`).exec(rest)?.[1];
  const text = (value: string) => (value === '<empty>' ? '' : value);
  switch (type) {
    case 'check':
      return { kind: 'option', option: { name, type, default: field('default') === 'true' } };
    case 'spin': {
      const [value, min, max] = ['default', 'min', 'max'].map((key) => Number(field(key)));
      return { kind: 'option', option: { name, type, default: value ?? 0, min: min ?? 0, max: max ?? 0 } };
    }
    case 'combo': {
      const choices = [...rest.matchAll(/\bvar\s+(.+?)(?=\s+var\s|$)/g)].map((found) => found[1] ?? '');
      const value = /\bdefault\s+(.+?)(?=\s+var\s|$)/.exec(rest)?.[1] ?? '';
      return { kind: 'option', option: { name, type, default: value, choices } };
    }
    case 'string':
      return { kind: 'option', option: { name, type, default: text(rest.replace(/^default\s*/, '').trim()) } };
    default:
      return { kind: 'option', option: { name, type: 'button' } };
  }
}
