/** A game with its variations. */

import { Chess, normalizeMove, type Position } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import type { Color, Move } from 'chessops/types';
import { makeUci, parseUci } from 'chessops/util';

export interface TreeNode {
  readonly id: number;
  readonly parent: TreeNode | null;
  /** Half moves from the start of the game. */
  readonly ply: number;
  /** The move that led here; empty at the root. */
  readonly san: string;
  /** The same in UCI, castling as king takes rook. */
  readonly uci: string;
  /** The position. */
  readonly fen: string;
  /** The main line first. */
  readonly children: TreeNode[];
  comments: string[];
  /** Comments before the move, which only the first move of a line has. */
  before: string[];
  nags: number[];
}

export interface GameTree {
  readonly root: TreeNode;
  headers: Map<string, string>;
}

let nextId = 1;

function makeNode(parent: TreeNode | null, san: string, uci: string, fen: string): TreeNode {
  const ply = parent ? parent.ply + 1 : 0;
  return { id: nextId++, parent, ply, san, uci, fen, children: [], comments: [], before: [], nags: [] };
}

/** The errors of chessops for a FEN, as text. */
const REASONS: Readonly<Record<string, string>> = {
  ERR_FEN: 'it is not a FEN',
  ERR_BOARD: 'the piece placement is malformed',
  ERR_TURN: 'the side to move must be w or b',
  ERR_CASTLING: 'the castling rights do not fit the board',
  ERR_EP_SQUARE: 'the en passant square is not a square',
  ERR_HALFMOVES: 'the half-move clock is not a number',
  ERR_FULLMOVES: 'the move number is not a number',
  ERR_EMPTY: 'the board is empty',
  ERR_OPPOSITE_CHECK: 'the side that is not to move is in check',
  ERR_PAWNS_ON_BACKRANK: 'there is a pawn on the first or last rank',
  ERR_KINGS: 'each side needs exactly one king',
};

export function inWords(error: Error): string {
  return REASONS[error.message] ?? error.message;
}

/** The position of a FEN, or what is wrong with it. */
export function readFen(fen: string): Chess | Error {
  const setup = parseFen(fen.trim());
  return setup.unwrap(
    (value) => Chess.fromSetup(value).unwrap<Chess | Error>((position) => position, (error) => new Error(inWords(error))),
    (error) => new Error(inWords(error)),
  );
}

/** The position at a node. Nodes are made from legal moves, so their FENs are good. */
export function positionAt(node: TreeNode): Chess {
  const position = readFen(node.fen);
  if (position instanceof Error) throw position;
  return position;
}

export function newTree(fen: string = INITIAL_FEN): GameTree {
  const position = readFen(fen);
  if (position instanceof Error) throw position;
  const root = makeNode(null, '', '', makeFen(position.toSetup()));
  const headers = new Map<string, string>();
  if (root.fen !== INITIAL_FEN) {
    headers.set('SetUp', '1').set('FEN', root.fen);
    if (isChess960(position)) headers.set('Variant', 'Chess960');
  }
  return { root, headers };
}

/** Do the kings or castling rooks stand elsewhere than in standard chess? */
export function isChess960(position: Position): boolean {
  const home = { white: 4, black: 60 } as const;
  return (['white', 'black'] as const).some((color) => {
    const rooks = position.castles.rook[color];
    const able = rooks.a !== undefined || rooks.h !== undefined;
    const corner = color === 'white' ? 0 : 56;
    return (
      able &&
      (position.board.kingOf(color) !== home[color] ||
        (rooks.a !== undefined && rooks.a !== corner) ||
        (rooks.h !== undefined && rooks.h !== corner + 7))
    );
  });
}

/** The node that a move leads to, added if it is new; `null` if the move is not legal. */
export function addMove(node: TreeNode, move: Move): TreeNode | null {
  const position = positionAt(node);
  const normal = normalizeMove(position, move);
  if (!position.isLegal(normal)) return null;
  const uci = makeUci(normal);
  const known = node.children.find((child) => child.uci === uci);
  if (known) return known;
  const san = makeSanAndPlay(position, normal);
  const child = makeNode(node, san, uci, makeFen(position.toSetup()));
  node.children.push(child);
  return child;
}

export function addUci(node: TreeNode, uci: string): TreeNode | null {
  const move = parseUci(uci);
  return move ? addMove(node, move) : null;
}

/** A move as somebody types it: SAN, with or without its decoration, or UCI. */
export function readMove(position: Position, text: string): Move | null {
  const clean = text.trim().replace(/0-0-0/g, 'O-O-O').replace(/0-0/g, 'O-O').replace(/[!?]+$/, '');
  const byUci = /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(clean) ? parseUci(clean) : undefined;
  if (byUci) {
    const normal = normalizeMove(position, byUci);
    return position.isLegal(normal) ? normal : null;
  }
  const capital = clean.replace(/^[nrqk]/, (letter) => letter.toUpperCase()).replace(/^o-o/i, (text) => text.toUpperCase());
  return parseSan(position, clean) ?? parseSan(position, capital) ?? null;
}

/** The nodes from the root to this one. */
export function lineTo(node: TreeNode): TreeNode[] {
  const line: TreeNode[] = [];
  for (let at: TreeNode | null = node; at; at = at.parent) line.push(at);
  return line.reverse();
}

/** The nodes of the main line from this one on, itself included. */
export function mainLine(node: TreeNode): TreeNode[] {
  const line = [node];
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

export function movesTo(node: TreeNode): string[] {
  return lineTo(node).slice(1).map((at) => at.uci);
}

/** Which child to take at each step from the root. */
export function pathTo(node: TreeNode): number[] {
  return lineTo(node).slice(1).map((at) => at.parent?.children.indexOf(at) ?? 0);
}

export function nodeAt(root: TreeNode, path: readonly number[]): TreeNode {
  let node = root;
  for (const index of path) {
    const child = node.children[index];
    if (!child) break;
    node = child;
  }
  return node;
}

export function isMainLine(node: TreeNode): boolean {
  return lineTo(node).every((at) => !at.parent || at.parent.children[0] === at);
}

/** Takes a node and what follows it out of the game. */
export function removeNode(node: TreeNode): void {
  const siblings = node.parent?.children;
  siblings?.splice(siblings.indexOf(node), 1);
}

/** Makes the line that a node belongs to the main one of its parent. */
export function promote(node: TreeNode): void {
  for (let at: TreeNode | null = node; at?.parent; at = at.parent) {
    const siblings = at.parent.children;
    const index = siblings.indexOf(at);
    if (index > 0) {
      siblings.splice(index, 1);
      siblings.unshift(at);
      return;
    }
  }
}

export type Ending = { readonly result: '1-0' | '0-1' | '1/2-1/2'; readonly reason: string };

/** Endings by node; a node never changes its past. */
const endings = new WeakMap<TreeNode, Ending | null>();

/** Is the game over by the rules here? Repetition and fifty moves count without a claim, as on the servers. */
export function ending(node: TreeNode): Ending | null {
  const known = endings.get(node);
  if (known !== undefined) return known;
  const found = findEnding(node);
  endings.set(node, found);
  return found;
}

function findEnding(node: TreeNode): Ending | null {
  const position = positionAt(node);
  if (position.isCheckmate()) {
    return { result: position.turn === 'white' ? '0-1' : '1-0', reason: 'Checkmate' };
  }
  if (position.isStalemate()) return { result: '1/2-1/2', reason: 'Stalemate' };
  if (position.isInsufficientMaterial()) return { result: '1/2-1/2', reason: 'Insufficient material' };
  if (position.halfmoves >= 100) return { result: '1/2-1/2', reason: 'Fifty-move rule' };
  const key = (fen: string) => fen.split(' ').slice(0, 4).join(' ');
  const here = key(node.fen);
  if (lineTo(node).filter((at) => key(at.fen) === here).length >= 3) {
    return { result: '1/2-1/2', reason: 'Threefold repetition' };
  }
  return null;
}

export function turnAt(node: TreeNode): Color {
  return node.fen.split(' ')[1] === 'b' ? 'black' : 'white';
}
