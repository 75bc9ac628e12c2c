import { INITIAL_FEN } from 'chessops/fen';
import { describe, expect, it } from 'vitest';

import { chess960Fen } from '../src/chess/chess960';
import { addUci, ending, isChess960, newTree, positionAt, readFen, readMove } from '../src/chess/tree';
import { sanLine, showScore, showTime, speakSan } from '../src/chess/words';

describe('Chess960', () => {
  it('has the known positions at their numbers', () => {
    expect(chess960Fen(518)).toBe(INITIAL_FEN);
    expect(chess960Fen(0)).toMatch(/^bbqnnrkr\//);
    expect(chess960Fen(959)).toMatch(/^rkrnnqbb\//);
  });

  it('has 960 different ones, all of them legal', () => {
    const all = new Set(Array.from({ length: 960 }, (_, number) => chess960Fen(number)));
    expect(all.size).toBe(960);
    for (const fen of all) expect(readFen(fen)).not.toBeInstanceOf(Error);
  });

  it('castles king takes rook', () => {
    const tree = newTree('1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1');
    expect(isChess960(positionAt(tree.root))).toBe(true);
    expect(tree.headers.get('Variant')).toBe('Chess960');
    expect(addUci(tree.root, 'e1g1')?.san).toBe('O-O');
    expect(isChess960(positionAt(newTree().root))).toBe(false);
  });
});

describe('endings', () => {
  const play = (moves: string, fen?: string) =>
    moves.split(' ').reduce((node, uci) => addUci(node, uci) ?? node, newTree(fen).root);

  it('are found', () => {
    expect(ending(play('f2f3 e7e5 g2g4 d8h4'))).toEqual({ result: '0-1', reason: 'Checkmate' });
    const repeated = 'g1f3 g8f6 f3g1 f6g8 ';
    expect(ending(play(repeated.repeat(1).trim()))).toBeNull();
    expect(ending(play(repeated.repeat(2).trim()))?.reason).toContain('Threefold repetition');
    expect(ending(newTree('8/8/4k3/8/8/3NK3/8/8 w - - 0 1').root)?.result).toBe('1/2-1/2');
    expect(ending(newTree('7k/5Q2/6K1/8/8/8/8/8 b - - 0 1').root)?.reason).toBe('Stalemate');
    expect(ending(newTree('7k/8/6K1/8/8/8/8/R7 b - - 100 90').root)?.reason).toContain('Fifty');
  });
});

describe('words', () => {
  it('shows scores', () => {
    expect(showScore({ kind: 'cp', value: -123 })).toBe('−1.23');
    expect(showScore({ kind: 'cp', value: 0 })).toBe('0.00');
    expect(showScore({ kind: 'mate', value: -3 })).toBe('−#3');
  });

  it('speaks moves', () => {
    expect(speakSan('Nbxd7+')).toBe('knight b takes d7, check');
    expect(speakSan('e8=Q#')).toBe('pawn to e8 promotes to queen, checkmate');
    expect(speakSan('O-O-O')).toBe('castles queenside');
  });

  it('writes lines with numbers and stops at illegal moves', () => {
    const line = sanLine(newTree().root, ['e2e4', 'e7e5', 'g1f3', 'a1a8', 'd7d6']);
    expect(line.map(({ number, san }) => number + san).join(' ')).toBe('1.e4 e5 2.Nf3');
  });

  it('shows clocks', () => {
    expect(showTime(9_500)).toBe('0:09.5');
    expect(showTime(61_000)).toBe('1:01');
    expect(showTime(3_600_000)).toBe('1:00:00');
  });

  it('reads typed moves', () => {
    const position = positionAt(newTree().root);
    expect(readMove(position, 'nf3')).toEqual(readMove(position, 'g1f3'));
    expect(readMove(position, 'e4!')).not.toBeNull();
    expect(readMove(position, 'e5')).toBeNull();
    expect(readMove(position, 'e2e5')).toBeNull();
    expect(readMove(position, '')).toBeNull();
  });
});
