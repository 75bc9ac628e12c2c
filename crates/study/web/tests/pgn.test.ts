import { describe, expect, it } from 'vitest';

import { readPgn, writePgn } from '../src/chess/pgn';
import { mainLine, nodeAt, pathTo } from '../src/chess/tree';

const GAME = `[Event "Test"]
[White "One \\"the first\\""]
[Black "Two"]
[Result "1-0"]

{ Before all } 1. e4 $1 { [%clk 0:10:00] best by test } e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6!?) 2. Nf3 Nc6
3. Bb5 a6 4. O-O ; a rest of a line
1-0
`;

const sans = (pgn: string) => readPgn(pgn).map(({ tree }) => mainLine(tree.root).slice(1).map((node) => node.san));

describe('reading', () => {
  it('keeps moves, variations, comments and signs', () => {
    const [game] = readPgn(GAME);
    expect(game?.faults).toEqual([]);
    const root = game!.tree.root;
    expect(mainLine(root).map((node) => node.san).join(' ').trim()).toBe('e4 e5 Nf3 Nc6 Bb5 a6 O-O');
    const e4 = root.children[0]!;
    expect(e4.nags).toEqual([1]);
    expect(e4.before).toEqual(['Before all']);
    expect(e4.comments).toEqual(['[%clk 0:10:00] best by test']);
    expect(e4.children.map((node) => node.san)).toEqual(['e5', 'c5', 'e6']);
    expect(e4.children[2]!.nags).toEqual([5]);
    expect(e4.children[1]!.children.map((node) => node.san)).toEqual(['Nf3', 'c3']);
    expect(game!.tree.headers.get('White')).toBe('One "the first"');
  });

  it('is the inverse of writing', () => {
    const once = writePgn(readPgn(GAME)[0]!.tree);
    expect(writePgn(readPgn(once)[0]!.tree)).toBe(once);
    expect(once.replace(/\n/g, ' ')).toContain('(1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6 $5)');
  });

  it('tells where a game is broken, and keeps what comes before', () => {
    const [game] = readPgn('[White "A"]\n\n1. e4 e5\n2. Ke3 Nc6 3. Nf3 *');
    expect(mainLine(game!.tree.root).length).toBe(3);
    expect(game!.faults).toHaveLength(1);
    expect(game!.faults[0]).toMatchObject({ line: 4, column: 4 });
    expect(game!.faults[0]!.message).toContain('2. Ke3 is not a legal move');
  });

  it('goes on behind a broken variation', () => {
    const [game] = readPgn('1. e4 (1. d4 d5 2. Qh8 Nf6 (2... e6)) 1... e5 2. Nf3 *');
    expect(mainLine(game!.tree.root).map((node) => node.san).join(' ').trim()).toBe('e4 e5 Nf3');
    expect(game!.faults).toHaveLength(1);
  });

  // Some seconds on any machine, and many minutes where every word is compared with all before it.
  it('takes linear time', { timeout: 60_000 }, () => {
    const many = 200_000;
    expect(readPgn(`1. e4 ${'{a} '.repeat(many)}`)[0]!.tree.root.children[0]!.comments).toHaveLength(many);
    expect(readPgn('[A "b"]\n'.repeat(many))).toHaveLength(1);
    const { faults } = readPgn(`1. e4 e5\n${')'.repeat(many)}`)[0]!;
    expect(faults).toHaveLength(many);
    expect(faults.at(-1)).toMatchObject({ line: 2, column: many });
  });

  it('finds unclosed comments and brackets', () => {
    expect(readPgn('1. e4 { no end')[0]!.faults[0]!.message).toContain('no end');
    expect(readPgn('1. e4 (1. d4 *')[0]!.faults[0]!.message).toContain('not closed');
    expect(readPgn('1. e4 ) e5 *')[0]!.faults[0]!.message).toContain('never opened');
    expect(readPgn('(1. e4 *')[0]!.faults.length).toBeGreaterThan(0);
  });

  it('reads several games, with and without tags', () => {
    expect(sans('1. e4 e5 1-0\n\n1. d4 d5 0-1')).toEqual([['e4', 'e5'], ['d4', 'd5']]);
    expect(sans('[White "A"]\n1. e4 *\n[White "B"]\n1. c4 *')).toEqual([['e4'], ['c4']]);
    expect(sans('[White "A"]\n1. e4\n[White "B"]\n1. c4')).toEqual([['e4'], ['c4']]);
    expect(sans('')).toEqual([]);
  });

  it('reads dialects', () => {
    expect(sans('\uFEFF1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0 Nf6 1/2-1/2')[0]).toHaveLength(8);
    expect(sans('1. e2e4 e7e5 2. g1f3 *')).toEqual([['e4', 'e5', 'Nf3']]);
    const odd = '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 2 9"]\n\n9. O-O *';
    expect(sans(odd)).toEqual([['O-O']]);
  });

  it('refuses an impossible FEN in words', () => {
    const [game] = readPgn('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *');
    expect(game!.faults[0]!.message).toContain('the board is empty');
  });
});

describe('paths', () => {
  it('lead back to their node', () => {
    const root = readPgn(GAME)[0]!.tree.root;
    const node = root.children[0]!.children[1]!.children[1]!;
    expect(nodeAt(root, pathTo(node))).toBe(node);
  });
});
