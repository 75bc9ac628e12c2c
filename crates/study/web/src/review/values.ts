/** The values of a game's positions by the searches of all of them, as in `rufous-study review`. */

import type { Score } from '../engine/uci';
import { isOnlyMove, judge, winningChances, type Judgement } from './judgement';

/** A line that a search found. The score is for the side to move. */
export interface FoundLine {
  readonly score: Score;
  /** Moves in UCI, castling as king takes rook. */
  readonly pv: readonly string[];
}

/** The value of a move by that of the position behind it, for the side that moves. */
function oneMoveEarlier({ kind, value }: Score): Score {
  if (kind === 'mate' && value <= 0) return { kind, value: 1 - value };
  return { kind, value: value === 0 ? 0 : -value };
}

/** The better of two values; quick mates are better than slow ones, if one gives them. */
function betterOf(one: Score, other: Score): Score {
  const group = ({ kind, value }: Score) => (kind === 'cp' ? 0 : value > 0 ? 1 : -1);
  const within = ({ kind, value }: Score) => (kind === 'cp' ? value : -value);
  const difference = group(one) - group(other) || within(one) - within(other);
  return difference >= 0 ? one : other;
}

/** The best line that does not begin with the move. */
const bestOther = (lines: readonly FoundLine[], move: string) => lines.find((line) => line.pv[0] !== move);

/**
 * The values of the positions for the side to move, where they were searched. The value of a position is that of its best
 * move: the move played is worth what the next position is, the others what the search said. So what a search missed is
 * corrected by the searches of the following positions. `moves` are those played, the first from the first position.
 */
export function valuesOf(found: readonly (readonly FoundLine[] | null)[], moves: readonly string[]): (Score | null)[] {
  const values: (Score | null)[] = found.map((lines) => lines?.[0]?.score ?? null);
  for (let index = found.length - 2; index >= 0; index--) {
    const [lines, next, move] = [found[index], values[index + 1], moves[index]];
    if (!lines?.[0] || !next || move === undefined) continue;
    const played = oneMoveEarlier(next);
    const other = bestOther(lines, move);
    values[index] = other ? betterOf(played, other.score) : played;
  }
  return values;
}

export interface Played {
  readonly judgement: Judgement;
  /** Every other move would have been a mistake. */
  readonly only: boolean;
  /** What was better, from the position before the move. */
  readonly better: readonly string[];
}

/** Judges a move by the lines found before it and the values of the positions before and behind it. */
export function judgePlayed(lines: readonly FoundLine[], move: string, before: Score, after: Score): Played {
  const played = oneMoveEarlier(after);
  const other = bestOther(lines, move);
  const isBest = before.kind === played.kind && before.value === played.value;
  return {
    judgement: judge(before, played),
    only: other !== undefined && isOnlyMove(winningChances(played), winningChances(other.score)),
    better: isBest ? [] : (other?.pv ?? []),
  };
}
