/** The review of the game's main line: every position searched, every move judged, while it is computed. */

import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { Color } from 'chessops/types';

import type { Annotate } from '../chess/pgn';
import { ending, mainLine, movesTo, turnAt, type TreeNode } from '../chess/tree';
import { sanLine, whiteScore } from '../chess/words';
import { parseMessage, type Info, type Score } from '../engine/uci';
import { boundedCentipawns, gameAccuracy, VERDICTS, winningChances, type Judgement, type Verdict } from '../review/judgement';
import { judgePlayed, valuesOf, type FoundLine } from '../review/values';
import { ANALYSIS_OPTIONS } from './analysis';
import { engine } from './engine';
import { announce, mode, tree, version } from './game';
import { isOneOf, isRecord, load, save } from './storage';

export type Effort = 'quick' | 'normal' | 'deep';
export const EFFORTS: Readonly<Record<Effort, { readonly nodes: number; readonly label: string }>> = {
  quick: { nodes: 60_000, label: 'Quick' },
  normal: { nodes: 300_000, label: 'Normal' },
  deep: { nodes: 2_000_000, label: 'Deep' },
};

/** What a search found at a position, the best line first; at least one. */
interface Found {
  readonly lines: readonly FoundLine[];
}

/** The value of a position, from White's side. */
interface Value {
  readonly score: Score;
  readonly chances: number;
}

export interface JudgedMove {
  readonly node: TreeNode;
  readonly color: Color;
  readonly judgement: Judgement;
  /** The only good move, and it was found. */
  readonly only: boolean;
  readonly score: Score;
  /** What was better, in UCI, from the position before the move. */
  readonly better: readonly string[];
}

export interface Summary {
  readonly accuracy: number | null;
  readonly averageLoss: number | null;
  readonly counts: Readonly<Record<Verdict, number>>;
}

export const effort = signal<Effort>(load('effort', 'normal', isOneOf('quick', 'normal', 'deep')));
export const reviewing = signal(false);
/** Findings by position and the moves before it, so that they survive a reload. */
const found = signal<ReadonlyMap<string, Found>>(new Map());

const key = (node: TreeNode) => `${tree.value.root.fen} ${movesTo(node).join(' ')}`;

export const positions = computed<readonly TreeNode[]>(() => {
  version.value;
  return mainLine(tree.value.root);
});

const searched = computed<readonly (readonly FoundLine[] | null)[]>(() =>
  positions.value.map((node) => (atEnd(node) ?? found.value.get(key(node)))?.lines ?? null),
);

/** The values for the side to move. */
const values = computed(() => valuesOf(searched.value, positions.value.slice(1).map((node) => node.uci)));

export const results = computed<readonly (Value | null)[]>(() =>
  positions.value.map((node, index) => {
    const value = values.value[index];
    return value ? fromWhite(value, turnAt(node)) : null;
  }),
);

export const progress = computed(() => {
  const all = results.value.length;
  return { done: results.value.filter((result) => result !== null).length, all };
});

export const complete = computed(() => positions.value.length > 1 && progress.value.done === progress.value.all);

function fromWhite(value: Score, turn: Color): Value {
  const mated = value.kind === 'mate' && value.value === 0;
  // A mate on the board has no sign, so it is told as one in a move.
  const score = whiteScore(mated ? { kind: 'mate', value: -1 } : value, turn);
  return { score, chances: winningChances(score) };
}

/** The value where the game is over; within a game that went on in spite of a draw, positions are searched. */
function atEnd(node: TreeNode): Found | null {
  const end = node.children.length === 0 ? ending(node) : null;
  if (!end) return null;
  return { lines: [{ score: { kind: end.result === '1/2-1/2' ? 'cp' : 'mate', value: 0 }, pv: [] }] };
}

/** Do both moves take on the same square, one after the other? */
function isRecapture(node: TreeNode): boolean {
  const takes = (at: TreeNode | null) => (at?.san.includes('x') ? at.uci.slice(2, 4) : null);
  return takes(node) !== null && takes(node) === takes(node.parent);
}

export const judged = computed<readonly (JudgedMove | null)[]>(() =>
  positions.value.slice(1).map((node, index) => {
    const lines = searched.value[index];
    const [before, after] = [values.value[index], values.value[index + 1]];
    const score = results.value[index + 1]?.score;
    if (!lines || !before || !after || !score || !node.parent) return null;
    const { judgement, only, better } = judgePlayed(lines, node.uci, before, after);
    return { node, color: turnAt(node.parent), judgement, only: only && !isRecapture(node), score, better };
  }),
);

export const judgementOf = computed<ReadonlyMap<number, JudgedMove>>(
  () => new Map(judged.value.flatMap((move) => (move ? [[move.node.id, move] as const] : []))),
);

export const summary = computed<Readonly<Record<Color, Summary>>>(() => {
  const first = turnAt(tree.value.root);
  const chances: number[] = [];
  for (const result of results.value) {
    if (!result) break;
    chances.push(result.chances);
  }
  const accuracy = chances.length > 1 ? gameAccuracy(chances, first) : { white: null, black: null };
  const of = (color: Color): Summary => {
    const own = judged.value.flatMap((move, index) => {
      const [before, after] = [results.value[index], results.value[index + 1]];
      return move?.color === color && before && after ? [{ move, before, after }] : [];
    });
    const losses = own.map(({ before, after }) => {
      const change = boundedCentipawns(before.score) - boundedCentipawns(after.score);
      return Math.max(0, color === 'white' ? change : -change);
    });
    const count = (verdict: Verdict) => own.filter(({ move }) => move.judgement.verdict === verdict).length;
    return {
      accuracy: accuracy[color],
      averageLoss: losses.length > 0 ? losses.reduce((sum, loss) => sum + loss, 0) / losses.length : null,
      counts: { inaccuracy: count('inaccuracy'), mistake: count('mistake'), blunder: count('blunder') },
    };
  };
  return { white: of('white'), black: of('black') };
});

/** A judgement in a sentence. */
export function explain({ node, judgement, only, better }: JudgedMove): string {
  if (!node.parent) return '';
  if (judgement.verdict === null) return only ? `${node.san} is the only good move.` : `${node.san} is a good move.`;
  const article = judgement.verdict === 'inaccuracy' ? 'an' : 'a';
  const best = sanLine(node.parent, better, 1)[0]?.san;
  const missed =
    judgement.missed === null
      ? ''
      : judgement.missed === 'win'
        ? ' A win was missed.'
        : ` A mate in ${judgement.missed.mate} was missed.`;
  return `${node.san} is ${article} ${judgement.verdict}.${missed}${best ? ` ${best} was better.` : ''}`;
}

/** The review's part of an exported game. */
export const annotateReview: Annotate = (node) => {
  const index = positions.peek().indexOf(node);
  const result = index > 0 && ending(node) === null ? results.peek()[index] : null;
  const verdict = judgementOf.peek().get(node.id)?.judgement.verdict;
  if (!result) return {};
  const { score } = result;
  const text = score.kind === 'mate' ? `#${score.value}` : (score.value / 100).toFixed(2);
  return { comment: `[%eval ${text}]`, ...(verdict ? { nags: [VERDICTS[verdict].nag] } : {}) };
};

function record(node: TreeNode, infos: readonly Info[]): void {
  // A search that was stopped early may have no first line.
  if (!infos[0]) return;
  const lines = infos.filter(Boolean).map(({ score, pv }) => ({ score, pv: pv.slice(0, 12) }));
  found.value = new Map(found.value).set(key(node), { lines });
}

/** Searches the first position of which nothing is known, and so on. */
function searchNext(): () => void {
  const index = results.peek().findIndex((result) => result === null);
  const node = positions.peek()[index];
  if (!node) {
    batch(() => {
      reviewing.value = false;
    });
    const { white, black } = summary.peek();
    const percent = (value: number | null) => (value === null ? 'none' : `${value.toFixed(0)} percent`);
    announce(`The review is ready. Accuracy: White ${percent(white.accuracy)}, Black ${percent(black.accuracy)}.`);
    return () => {};
  }
  const nodes = EFFORTS[effort.peek()].nodes;
  let ended = false;
  let stop = () => {};
  void engine.stored({ fen: tree.peek().root.fen, moves: movesTo(node), lines: 2, nodes }).then((stored) => {
    if (ended) return;
    const infos = stored?.info.map(parseMessage).flatMap((message) => (message?.kind === 'info' ? [message.info] : []));
    if (infos && infos.length > 0) return record(node, infos);
    const lines: Info[] = [];
    stop = engine.search({
      fen: tree.peek().root.fen,
      moves: movesTo(node),
      go: `nodes ${nodes}`,
      options: { ...ANALYSIS_OPTIONS, MultiPV: '2' },
      info(info) {
        if (info.bound === null && info.pv.length > 0) lines[info.multipv - 1] = info;
      },
      done: () => record(node, lines),
    });
  });
  return () => {
    ended = true;
    stop();
  };
}

export function startReview(again: boolean): void {
  batch(() => {
    if (again) {
      const keys = new Set(positions.value.map(key));
      found.value = new Map([...found.value].filter(([known]) => !keys.has(known)));
    }
    reviewing.value = true;
  });
}

export function stopReview(): void {
  reviewing.value = false;
}

/** The value of a reviewed position for the bar beside the board. */
export function reviewValue(node: TreeNode): { score: Score; chances: number } | null {
  const index = positions.value.indexOf(node);
  return index < 0 ? null : (results.value[index] ?? null);
}

const areLines = (value: unknown): value is FoundLine[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((line) => isRecord(line) && isRecord(line['score']) && Array.isArray(line['pv']));

const isFound = (value: unknown): value is [string, Found][] =>
  Array.isArray(value) &&
  value.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string' && isRecord(entry[1]) && areLines(entry[1]['lines']));

/** Positions that are kept over a reload. */
const KEPT = 600;

export function keepReviewing(): void {
  found.value = new Map(load<[string, Found][]>('found', [], isFound));
  reviewing.value = load('reviewing', false, (value): value is boolean => typeof value === 'boolean');
  effect(() => save('found', [...found.value].slice(-KEPT)));
  effect(() => save('reviewing', reviewing.value));
  effect(() => save('effort', effort.value));
  let stop = () => {};
  effect(() => {
    const active = reviewing.value && mode.value === 'review';
    const open = results.value.findIndex((result) => result === null);
    untracked(() => {
      stop();
      stop = active && (open >= 0 || reviewing.value) ? searchNext() : () => {};
    });
  });
}

