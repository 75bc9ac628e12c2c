/**
 * Reads and writes games as PGN. Reading keeps comments, NAGs and variations, goes on behind faults where that makes
 * sense, and tells where each fault is. (The reader of chessops does not know where in the text it is.)
 */

import { INITIAL_FEN } from 'chessops/fen';

import { addMove, newTree, positionAt, readFen, readMove, type GameTree, type TreeNode } from './tree';

export interface PgnFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface PgnGame {
  readonly tree: GameTree;
  readonly faults: readonly PgnFault[];
}

interface Token {
  readonly kind: 'tag' | 'comment' | 'nag' | 'open' | 'close' | 'result' | 'move' | 'unclosed';
  readonly text: string;
  readonly at: number;
}

const TOKEN = new RegExp(
  [
    /(?<tag>^[ \t]*\[\s*[A-Za-z0-9_]+\s+"(?:[^"\\\n]|\\.)*"\s*\])/,
    /(?<comment>\{[^}]*\})/,
    /(?<unclosed>\{[^}]*$(?![\s\S]))/,
    /(?<line>;[^\n]*)/,
    /(?<escape>^%[^\n]*)/,
    /(?<nag>\$\d+)/,
    /(?<open>\()/,
    /(?<close>\))/,
    /(?<result>1-0|0-1|1\/2-1\/2|\*)/,
    /(?<number>\d+\s*\.+|\.+)/,
    /(?<glyph>[!?]+)/,
    /(?<move>[^\s(){};$!?]+)/,
  ]
    .map((part) => part.source)
    .join('|'),
  'gm',
);

const GLYPHS: Readonly<Record<string, number>> = { '!': 1, '?': 2, '!!': 3, '??': 4, '!?': 5, '?!': 6 };
export const NAG_GLYPHS: Readonly<Record<number, string>> = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

function* tokens(text: string): Generator<Token> {
  for (const match of text.matchAll(TOKEN)) {
    const groups = match.groups ?? {};
    const at = match.index;
    const [kind, found] = Object.entries(groups).find(([, value]) => value !== undefined) ?? ['', ''];
    switch (kind) {
      case 'comment':
        yield { kind: 'comment', text: found.slice(1, -1), at };
        break;
      case 'line':
        yield { kind: 'comment', text: found.slice(1), at };
        break;
      case 'glyph':
        yield { kind: 'nag', text: String(GLYPHS[found] ?? ''), at };
        break;
      case 'nag':
        yield { kind: 'nag', text: found.slice(1), at };
        break;
      case 'number':
      case 'escape':
        break;
      default:
        yield { kind: kind as Token['kind'], text: found, at };
    }
  }
}

/** The games of a text; a game begins with its tags, or behind the result of the one before. */
export function readPgn(text: string, most = 100): PgnGame[] {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const games: Token[][] = [];
  let current: Token[] = [];
  let ended = true;
  let moved = false;
  let depth = 0;
  for (const token of tokens(source)) {
    const begins = ended || (token.kind === 'tag' && moved);
    if (begins && games.length >= most) break;
    if (begins) {
      games.push((current = []));
      moved = false;
      depth = 0;
    }
    current.push(token);
    moved ||= token.kind === 'move';
    depth += Number(token.kind === 'open') - Number(token.kind === 'close');
    // A result within brackets belongs to the variation.
    ended = token.kind === 'result' && depth <= 0;
  }
  const place = places(source);
  return games.map((game) => readGame(place, game));
}

type Place = (at: number) => { readonly line: number; readonly column: number };

/** Tells line and column of an index of the text. A text may have as many faults as letters, so lines are counted once. */
function places(source: string): Place {
  const starts = [0];
  for (let end = source.indexOf('\n'); end >= 0; end = source.indexOf('\n', end + 1)) starts.push(end + 1);
  return (at) => {
    let [line, behind] = [0, starts.length];
    while (behind - line > 1) {
      const middle = (line + behind) >> 1;
      if ((starts[middle] ?? 0) <= at) line = middle;
      else behind = middle;
    }
    return { line: line + 1, column: at - (starts[line] ?? 0) + 1 };
  };
}

function readGame(place: Place, game: readonly Token[]): PgnGame {
  const faults: PgnFault[] = [];
  const fault = (at: number, message: string) => {
    faults.push({ ...place(at), message });
  };
  const headers = new Map<string, string>();
  for (const tag of game.filter((token) => token.kind === 'tag')) {
    const [, name = '', value = ''] = /\[\s*(\w+)\s+"(.*)"\s*\]/s.exec(tag.text) ?? [];
    headers.set(name, value.replace(/\\(.)/g, '$1').trim());
  }
  const fen = headers.get('FEN');
  const start = fen === undefined ? null : readFen(fen);
  if (start instanceof Error) {
    const at = game.find((token) => token.kind === 'tag' && /\[\s*FEN\s/.test(token.text))?.at ?? 0;
    fault(at, `The FEN tag is invalid: ${start.message}.`);
    return { tree: { ...newTree(), headers }, faults };
  }
  const tree: GameTree = { root: newTree(fen ?? INITIAL_FEN).root, headers };
  readMoves(tree.root, game, fault);
  return { tree, faults };
}

function readMoves(root: TreeNode, game: readonly Token[], fault: (at: number, message: string) => void): void {
  let node = root;
  /** Where the lines outside of this variation go on. */
  const outside: TreeNode[] = [];
  let before: string[] = [];
  /** The depth of brackets below which everything is skipped, behind a move that is not legal. */
  let skipped: number | null = null;
  for (const token of game) {
    if (token.kind === 'open') {
      outside.push(node);
      if (skipped === null) {
        if (!node.parent) {
          fault(token.at, 'A variation begins before the first move.');
          skipped = outside.length;
        } else {
          node = node.parent;
        }
      }
      continue;
    }
    if (token.kind === 'close') {
      const back = outside.pop();
      if (!back) {
        fault(token.at, 'A closing parenthesis was never opened.');
        continue;
      }
      if (skipped !== null && outside.length < skipped) skipped = null;
      if (skipped === null) node = back;
      before = [];
      continue;
    }
    if (token.kind === 'unclosed') fault(token.at, 'A comment has no end; the rest of the text was read as a comment.');
    if (skipped !== null) continue;
    if (token.kind === 'comment' || token.kind === 'unclosed') {
      const comment = token.text.replace(/^\{/, '').replace(/\s+/g, ' ').trim();
      if (comment === '') continue;
      const first = node === root || outside.at(-1)?.parent === node;
      if (first) before.push(comment);
      else node.comments.push(comment);
    } else if (token.kind === 'nag') {
      if (token.text !== '' && node.parent) node.nags.push(Number(token.text));
    } else if (token.kind === 'move' && !/^(e\.p\.|ep|--|Z0)$/.test(token.text)) {
      const move = readMove(positionAt(node), token.text);
      const next = move && addMove(node, move);
      if (!next) {
        const [, turn, , , , number = '1'] = node.fen.split(' ');
        const dots = turn === 'b' ? '…' : '.';
        const where = outside.length > 0 ? 'the rest of this variation' : 'the rest of the game';
        fault(token.at, `${number}${dots} ${token.text.slice(0, 12)} is not a legal move here; ${where} was left out.`);
        skipped = outside.length;
        continue;
      }
      next.before.push(...before);
      before = [];
      node = next;
    }
  }
  if (node === root && before.length > 0) root.comments.push(...before);
  if (outside.length > 0) fault(game.at(-1)?.at ?? 0, 'A variation is not closed.');
}

/** What to write behind a node besides what it has. */
export type Annotate = (node: TreeNode) => { readonly nags?: readonly number[]; readonly comment?: string };

const ROSTER = ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'] as const;

export function writePgn(tree: GameTree, annotate: Annotate = () => ({})): string {
  const headers = new Map(tree.headers);
  const lines: string[] = [];
  const tag = (name: string, value: string) =>
    lines.push(`[${name} "${value.replace(/[\\"]/g, (letter) => `\\${letter}`)}"]`);
  for (const name of ROSTER) {
    tag(name, headers.get(name) ?? (name === 'Result' ? '*' : name === 'Date' ? '????.??.??' : '?'));
    headers.delete(name);
  }
  headers.forEach((value, name) => tag(name, value));
  const words: string[] = [];
  tree.root.comments.forEach((comment) => words.push(`{ ${comment} }`));
  writeLine(tree.root, true, annotate, words);
  words.push(tree.headers.get('Result') ?? '*');
  return `${lines.join('\n')}\n\n${wrap(words)}\n`;
}

/** Writes what follows a node; `numbered` if the next move needs its number whoever plays it. */
function writeLine(from: TreeNode, numbered: boolean, annotate: Annotate, words: string[]): void {
  let number = numbered;
  for (let node: TreeNode | undefined = from; node; node = node.children[0]) {
    const [main, ...others] = node.children;
    if (!main) return;
    number = writeMove(node, main, number, annotate, words);
    for (const other of others) {
      words.push('(');
      writeLine(other, writeMove(node, other, true, annotate, words), annotate, words);
      words.push(')');
      number = true;
    }
  }
}

/** Writes a move; true if the next one needs its number again. */
function writeMove(parent: TreeNode, node: TreeNode, number: boolean, annotate: Annotate, words: string[]): boolean {
  const [, turn, , , , full = '1'] = parent.fen.split(' ');
  node.before.forEach((comment) => words.push(`{ ${comment} }`));
  if (turn === 'w') words.push(`${full}.`);
  else if (number || node.before.length > 0) words.push(`${full}...`);
  words.push(node.san);
  const { nags = [], comment } = annotate(node);
  new Set([...node.nags, ...nags]).forEach((nag) => words.push(`$${nag}`));
  const comments = comment === undefined ? node.comments : [comment, ...node.comments];
  comments.forEach((text) => words.push(`{ ${text.replace(/\}/g, ')')} }`));
  return comments.length > 0;
}

function wrap(words: readonly string[]): string {
  let text = '';
  let column = 0;
  for (const word of words) {
    const tight = column === 0 || text.endsWith('(') || word === ')';
    if (!tight && column + 1 + word.length > 80) {
      text += '\n';
      column = 0;
    } else if (!tight) {
      text += ' ';
      column += 1;
    }
    text += word;
    column += word.length;
  }
  return text;
}
