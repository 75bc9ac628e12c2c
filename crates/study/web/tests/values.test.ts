import { describe, expect, it } from 'vitest';

import type { Score } from '../src/engine/uci';
import { judgePlayed, valuesOf, type FoundLine } from '../src/review/values';

const cp = (value: number) => ({ kind: 'cp', value }) as const;
const mate = (value: number) => ({ kind: 'mate', value }) as const;
const line = (score: Score, ...pv: string[]): FoundLine => ({ score, pv });

const judgements = (found: readonly (readonly FoundLine[])[], moves: readonly string[]) => {
  const values = valuesOf(found, moves);
  return moves.map((move, index) => judgePlayed(found[index]!, move, values[index]!, values[index + 1]!));
};

// The same cases as in the tests of `rufous-study review`: 1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#.
const MOVES = ['e2e4', 'e7e5', 'd1h5', 'b8c6', 'f1c4', 'g8f6', 'h5f7'];

describe('values', () => {
  it('find a blunder and what was better', () => {
    const found = [
      [line(cp(30), 'e2e4'), line(cp(25))],
      [line(cp(-30), 'e7e5')],
      [line(cp(30), 'g1f3')],
      [line(cp(20), 'b8c6'), line(cp(10))],
      [line(cp(-20), 'g1f3')],
      [line(cp(20), 'd8e7', 'g1f3', 'g8f6'), line(cp(10))],
      [line(mate(1), 'h5f7'), line(cp(-200))],
      [line(mate(0))],
    ];
    const played = judgements(found, MOVES);
    expect(played.map(({ judgement }) => judgement.verdict)).toEqual([null, null, null, null, null, 'blunder', null]);
    expect(played[5]!.better).toEqual(['d8e7', 'g1f3', 'g8f6']);
    expect(played[6]).toMatchObject({ only: true, better: [] });
    expect(valuesOf(found, MOVES).slice(-2)).toEqual([mate(1), mate(0)]);
  });

  it('put right what a search overlooked', () => {
    const nothing = [line(cp(0))];
    const found = [
      nothing,
      nothing,
      nothing,
      nothing,
      [line(cp(-10), 'b1c3'), line(cp(-15))],
      // The mate is not seen, so that the blunder seems best.
      [line(cp(10), 'g8f6'), line(cp(-40))],
      [line(mate(1), 'h5f7')],
      [line(mate(0))],
    ];
    expect(judgements(found, MOVES)[5]!.judgement.verdict).toBe('blunder');
    // Nor was 3. Bc4 as bad as it seemed: Black's other moves were worth 40 centipawns to White.
    expect(judgements(found, MOVES)[4]!.judgement.verdict).toBeNull();
    expect(valuesOf(found, MOVES)[5]).toEqual(cp(-40));
  });

  it('are there while the review is made', () => {
    const found = [[line(cp(30), 'e2e4')], [line(cp(-10), 'e7e5')], null, [line(cp(20), 'b8c6')]];
    expect(valuesOf(found, MOVES)).toEqual([cp(10), cp(-10), null, cp(20)]);
  });

  it('know how far away a mate is', () => {
    // Another mate is as good, and a draw is not.
    const mates = [[line(mate(1), 'g6g7')], [line(mate(-2), 'h8h7')], [line(mate(2), 'e8g6')]];
    const [first] = judgements(mates, ['g6e8', 'h8h7']);
    expect(first!.judgement.missed).toBeNull();
    expect(first!.better).toEqual(['g6g7']);
    const [drawn] = judgements([[line(mate(1), 'g6g7')], [line(cp(0))]], ['g6e8']);
    expect(drawn!.judgement.missed).toEqual({ mate: 1 });
    // The slowest of the mates against oneself, and the quickest of one's own.
    expect(valuesOf([[line(mate(-1), 'a2a3')], [line(mate(3))]], ['h2h3'])[0]).toEqual(mate(-3));
    expect(valuesOf([[line(mate(4), 'a2a3')], [line(mate(-2))]], ['h2h3'])[0]).toEqual(mate(3));
  });
});
