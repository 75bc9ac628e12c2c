/** Judgement of moves, with the same formulas as `rufous-study review`. Winning chances are percent from 0 to 100. */

import type { Color } from 'chessops/types';

import type { Score } from '../engine/uci';
import thresholds from './thresholds.json';

export type Verdict = 'inaccuracy' | 'mistake' | 'blunder';

/** Centipawns beyond this say nothing more about the chances. */
const LARGEST_SCORE = thresholds.largestScore;

/** A loss in winning chances of at least so many percent is at least this bad. The worst comes first. */
const TABLE: readonly (readonly [Verdict, number])[] = [
  ['blunder', thresholds.blunder],
  ['mistake', thresholds.mistake],
  ['inaccuracy', thresholds.inaccuracy],
];

export const VERDICTS: Readonly<Record<Verdict, { readonly glyph: string; readonly nag: number; readonly plural: string }>> = {
  inaccuracy: { glyph: '?!', nag: 6, plural: 'Inaccuracies' },
  mistake: { glyph: '?', nag: 2, plural: 'Mistakes' },
  blunder: { glyph: '??', nag: 4, plural: 'Blunders' },
};

/** What a move missed: a mate in so many moves, or a win. */
export type Missed = { readonly mate: number } | 'win';

export interface Judgement {
  /** Winning chances lost, in percent. */
  readonly loss: number;
  readonly verdict: Verdict | null;
  readonly missed: Missed | null;
}

/** Centipawns, at most ten pawns either way, which is also what a mate counts. A mate in 0 is against whom it is told of. */
export function boundedCentipawns(score: Score): number {
  if (score.kind === 'mate') return score.value > 0 ? LARGEST_SCORE : -LARGEST_SCORE;
  return Math.max(-LARGEST_SCORE, Math.min(LARGEST_SCORE, score.value));
}

/** The slope of the logistic curve that Lichess fitted to games of its players. */
const CHANCE_SLOPE = 0.00368208;

/** Percent that a side may expect from its score: a win counts fully and a draw half. */
export function winningChances(score: Score): number {
  return 100 / (1 + Math.exp(-CHANCE_SLOPE * boundedCentipawns(score)));
}

/** Judges a move by the value of the position before it and by its own, both for the side that moved. */
export function judge(before: Score, after: Score): Judgement {
  const [had, has] = [winningChances(before), winningChances(after)];
  const loss = Math.max(0, had - has);
  const matesStill = after.kind === 'mate' && after.value > 0;
  const missed: Missed | null =
    before.kind === 'mate' && before.value >= 1 && before.value <= thresholds.mateMoves && !matesStill
      ? { mate: before.value }
      : had >= thresholds.won && has < thresholds.noLongerWon
        ? 'win'
        : null;
  const verdict = TABLE.find(([, least]) => loss >= least)?.[0] ?? null;
  // With a large advantage a missed mate loses next to no winning chances, but it should be reported.
  return { loss, missed, verdict: verdict ?? (missed ? 'inaccuracy' : null) };
}

/** Was the move the only good one: is the second best so much worse that it would have been a mistake? */
export function isOnlyMove(best: number, second: number): boolean {
  return best - second >= thresholds.onlyMove;
}

/** The accuracy of a move in percent, as Lichess publishes it. */
export function moveAccuracy(before: number, after: number): number {
  if (after >= before) return 100;
  const raw = 103.1668100711649 * Math.exp(-0.04354415386753951 * (before - after)) - 3.166924740191411;
  // A point for what a search at this depth cannot know.
  return Math.min(100, Math.max(0, raw + 1));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

/**
 * The accuracy of each player over a game, as Lichess publishes it: the middle between the mean that is weighted by how
 * much was at stake around each move, and the harmonic mean. `chances` are White's, from the start position on.
 */
export function gameAccuracy(chances: readonly number[], first: Color): Readonly<Record<Color, number | null>> {
  const moves = chances.length - 1;
  const size = Math.min(8, Math.max(2, Math.floor(moves / 10)));
  const windows: number[][] = [];
  for (let i = 0; i < Math.min(size, chances.length) - 2; i++) windows.push(chances.slice(0, size));
  for (let i = 0; i + size <= chances.length; i++) windows.push(chances.slice(i, i + size));
  const weights = windows.map((window) => Math.min(12, Math.max(0.5, deviation(window))));
  const of = (color: Color): number | null => {
    const own: { accuracy: number; weight: number }[] = [];
    for (let i = 0; i < moves; i++) {
      if ((i % 2 === 0) !== (color === first)) continue;
      const [before = 50, after = 50] = [chances[i], chances[i + 1]];
      const accuracy = color === 'white' ? moveAccuracy(before, after) : moveAccuracy(100 - before, 100 - after);
      own.push({ accuracy, weight: weights[i] ?? 0.5 });
    }
    if (own.length === 0) return null;
    const weighted =
      own.reduce((sum, { accuracy, weight }) => sum + accuracy * weight, 0) / own.reduce((sum, { weight }) => sum + weight, 0);
    const harmonic = own.length / own.reduce((sum, { accuracy }) => sum + 1 / Math.max(1, accuracy), 0);
    return (weighted + harmonic) / 2;
  };
  return { white: of('white'), black: of('black') };
}
