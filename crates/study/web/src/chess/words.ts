/** How scores, lines and moves are shown and spoken. */

import { makeSanAndPlay } from 'chessops/san';
import { makeUci, parseUci } from 'chessops/util';
import { normalizeMove } from 'chessops/chess';
import type { Color } from 'chessops/types';

import type { Info, Score } from '../engine/uci';
import { winningChances } from '../review/judgement';
import { positionAt, type TreeNode } from './tree';

/** A score from White's side. */
export function whiteScore(score: Score, turn: Color): Score {
  const value = turn === 'white' ? score.value : -score.value;
  return { kind: score.kind, value: value === 0 ? 0 : value };
}

export function showScore(score: Score): string {
  if (score.kind === 'mate') return `${score.value < 0 ? '−' : ''}#${Math.abs(score.value) || ''}`;
  const pawns = (Math.abs(score.value) / 100).toFixed(Math.abs(score.value) >= 10_000 ? 0 : 2);
  return `${score.value > 0 ? '+' : score.value < 0 ? '−' : ''}${pawns}`;
}

/** The same in few letters, for narrow places. */
export function shortScore(score: Score): string {
  if (score.kind === 'mate') return `#${Math.abs(score.value) || ''}`;
  const pawns = Math.abs(score.value) / 100;
  return pawns.toFixed(pawns >= 10 ? 0 : 1);
}

export function speakScore(score: Score): string {
  const side = score.value >= 0 ? 'White' : 'Black';
  if (score.kind === 'mate' && score.value === 0) return 'checkmate';
  if (score.kind === 'mate') return `${side} mates in ${Math.abs(score.value)}`;
  if (score.value === 0) return 'equal';
  return `${side} is better by ${(Math.abs(score.value) / 100).toFixed(1)} pawns`;
}

/** Percent that White may expect by the engine's own chances, where it tells them. */
export function whiteChances(info: Info, turn: Color): number {
  if (info.wdl === null) return winningChances(whiteScore(info.score, turn));
  const own = (info.wdl.win + info.wdl.draw / 2) / 10;
  return turn === 'white' ? own : 100 - own;
}

export interface SanMove {
  readonly uci: string;
  readonly san: string;
  /** The number before the move, where one is shown. */
  readonly number: string;
}

/** The moves of a line in SAN, with numbers, as far as they are legal. */
export function sanLine(from: TreeNode, pv: readonly string[], most = Infinity): SanMove[] {
  const position = positionAt(from);
  const line: SanMove[] = [];
  for (const uci of pv.slice(0, most)) {
    const parsed = parseUci(uci);
    const move = parsed && normalizeMove(position, parsed);
    if (!move || !position.isLegal(move)) break;
    const white = position.turn === 'white';
    const number = white ? `${position.fullmoves}.` : line.length === 0 ? `${position.fullmoves}…` : '';
    line.push({ uci: makeUci(move), number, san: makeSanAndPlay(position, move) });
  }
  return line;
}

const PIECES: Readonly<Record<string, string>> = { N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king' };

/** A move in SAN as it is read aloud. */
export function speakSan(san: string): string {
  const end = san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '';
  const bare = san.replace(/[+#]/g, '');
  if (bare === 'O-O') return `castles kingside${end}`;
  if (bare === 'O-O-O') return `castles queenside${end}`;
  const [, piece = '', from = '', takes = '', to = '', promotion = ''] =
    /^([NBRQK]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([NBRQ]))?$/.exec(bare) ?? [];
  const words = [
    PIECES[piece] ?? 'pawn',
    from,
    takes ? 'takes' : 'to',
    to,
    promotion ? `promotes to ${PIECES[promotion] ?? ''}` : '',
  ];
  return words.filter((word) => word !== '').join(' ') + end;
}

/** 1234567 as 1.2 M. */
export function showCount(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(count >= 1e8 ? 0 : 1)} M`;
  if (count >= 1e4) return `${Math.round(count / 1e3)} k`;
  return String(Math.round(count));
}

export function showTime(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 20) return `0:${seconds.toFixed(1).padStart(4, '0')}`;
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const tail = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}
