import { describe, expect, it } from 'vitest';

import type { Score } from '../src/engine/uci';
import { gameAccuracy, isOnlyMove, judge, moveAccuracy, winningChances } from '../src/review/judgement';

const cp = (value: number) => ({ kind: 'cp', value }) as const;
const mate = (value: number) => ({ kind: 'mate', value }) as const;

describe('chances', () => {
  it('are those of Lichess', () => {
    expect(winningChances(cp(0))).toBe(50);
    expect(winningChances(cp(100))).toBeCloseTo(59.1, 1);
    expect(winningChances(cp(-300))).toBeCloseTo(24.89, 1);
    expect(winningChances(mate(3))).toBe(winningChances(cp(2000)));
    expect(winningChances(mate(0))).toBeCloseTo(2.46, 1);
  });
});

// The same cases as in the tests of `rufous-study review`.
describe('judgement', () => {
  it('follows the loss of chances', () => {
    const verdict = (before: Score, after: Score) => judge(before, after).verdict;
    expect(verdict(cp(0), cp(-50))).toBeNull();
    expect(verdict(cp(0), cp(-56))).toBe('inaccuracy');
    expect(verdict(cp(0), cp(-112))).toBe('mistake');
    expect(verdict(cp(0), cp(-170))).toBe('blunder');
    expect(verdict(cp(900), cp(700))).toBeNull();
    expect(verdict(cp(-700), mate(-4))).toBeNull();
    expect(verdict(cp(30), cp(80))).toBeNull();
    expect(isOnlyMove(60, 50)).toBe(true);
    expect(isOnlyMove(60, 58)).toBe(false);
  });

  it('finds missed mates and wins', () => {
    expect(judge(mate(2), cp(900))).toMatchObject({ verdict: 'inaccuracy', missed: { mate: 2 } });
    expect(judge(mate(2), mate(5)).missed).toBeNull();
    expect(judge(mate(9), cp(900)).missed).toBeNull();
    expect(judge(mate(1), mate(-3)).verdict).toBe('blunder');
    expect(judge(cp(400), cp(50)).missed).toBe('win');
    expect(judge(cp(400), cp(200)).missed).toBeNull();
  });
});

describe('accuracy', () => {
  it('of a move is 100 where nothing is lost, and falls with the loss', () => {
    expect(moveAccuracy(50, 50)).toBe(100);
    expect(moveAccuracy(50, 60)).toBe(100);
    // 103.1668 * exp(-0.04354 * 10) - 3.1669 + 1 = 64.58
    expect(moveAccuracy(60, 50)).toBeCloseTo(64.58, 1);
    expect(moveAccuracy(100, 0)).toBe(0);
  });

  it('of a game tells the players apart', () => {
    const even = gameAccuracy([50, 50, 50, 50, 50], 'white');
    expect(even.white).toBeCloseTo(100);
    expect(even.black).toBeCloseTo(100);
    const blundered = gameAccuracy([50, 50, 90, 90, 90], 'white');
    expect(blundered.white).toBeCloseTo(100);
    expect(blundered.black).toBeLessThan(70);
    const [white, black] = Object.values(gameAccuracy([50, 50, 60, 50, 90], 'white'));
    expect(white).toBeCloseTo(73.14, 1);
    expect(black).toBeCloseTo(27.88, 1);
    expect(gameAccuracy([50], 'white')).toEqual({ white: null, black: null });
    expect(gameAccuracy([50, 90], 'black').black).toBeLessThan(60);
  });
});
