/** The game on the board, the place in it that is shown, and the mode of the page. */

import { batch, effect, signal } from '@preact/signals';
import type { Color } from 'chessops/types';

import { readPgn, writePgn } from '../chess/pgn';
import {
  addMove, lineTo, mainLine, newTree, nodeAt, pathTo, removeNode, promote, turnAt, type GameTree, type TreeNode,
} from '../chess/tree';
import { speakSan } from '../chess/words';
import type { Move } from 'chessops/types';
import { isOneOf, isRecord, load, save } from './storage';

export type Mode = 'analyse' | 'play' | 'review';
export const MODES: readonly Mode[] = ['analyse', 'play', 'review'];

export const mode = signal<Mode>(load('mode', 'analyse', isOneOf(...MODES)));
export const orientation = signal<Color>(load('orientation', 'white', isOneOf('white', 'black')));
export const tree = signal<GameTree>(newTree());
export const current = signal<TreeNode>(tree.value.root);
/** Counts the changes of the tree, which is changed in place. */
export const version = signal(0);
/** What a screen reader says. */
export const announcement = signal('');

/** Tells that the tree has changed. */
export function changed(): void {
  version.value++;
}

export function show(node: TreeNode): void {
  current.value = node;
}

export function announce(text: string): void {
  // The same text again would not be read again.
  announcement.value = announcement.value === text ? `${text}\u00A0` : text;
}

export function announceMove(node: TreeNode): void {
  if (node.parent) announce(`${turnAt(node.parent) === 'white' ? 'White' : 'Black'}: ${speakSan(node.san)}`);
}

/** Puts another game on the board. */
export function setTree(next: GameTree, node: TreeNode = next.root): void {
  batch(() => {
    tree.value = next;
    current.value = node;
    changed();
  });
}

/** Plays a move at the place that is shown. */
export function play(move: Move): TreeNode | null {
  const node = addMove(current.value, move);
  if (!node) return null;
  batch(() => {
    changed();
    show(node);
  });
  announceMove(node);
  return node;
}

export function remove(node: TreeNode): void {
  if (!node.parent) return;
  batch(() => {
    const parent = node.parent;
    removeNode(node);
    changed();
    if (parent && lineTo(current.value).includes(node)) show(parent);
  });
}

export function promoteLine(node: TreeNode): void {
  promote(node);
  changed();
}

export type Step = 'first' | 'previous' | 'next' | 'last' | 'up' | 'down';

/** Goes through the game: along the line, or between the variations of a move. */
export function step(where: Step): void {
  const node = current.value;
  const siblings = node.parent?.children ?? [];
  const beside = (by: number) => siblings[siblings.indexOf(node) + by] ?? node;
  const target = {
    first: () => tree.value.root,
    previous: () => node.parent ?? node,
    next: () => node.children[0] ?? node,
    last: () => mainLine(node).at(-1) ?? node,
    up: () => beside(-1),
    down: () => beside(1),
  }[where]();
  if (target === node) return;
  show(target);
  if (target.parent) announceMove(target);
  else announce('Start of the game');
}

interface SavedGame {
  readonly pgn: string;
  readonly path: readonly number[];
}

const isSavedGame = (value: unknown): value is SavedGame =>
  isRecord(value) && typeof value['pgn'] === 'string' && Array.isArray(value['path']);

/** Brings back the game of the last visit, and keeps what happens from now on. */
export function keepGame(): void {
  const saved = load<SavedGame | null>('game', null, isSavedGame);
  const game = saved && readPgn(saved.pgn, 1)[0];
  if (game) setTree(game.tree, nodeAt(game.tree.root, saved.path.map(Number)));
  effect(() => {
    version.value;
    save('game', { pgn: writePgn(tree.value), path: pathTo(current.value) });
  });
  effect(() => save('mode', mode.value));
  effect(() => save('orientation', orientation.value));
}
