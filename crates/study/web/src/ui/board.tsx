/** The board: Chessground, told what the page's state is. */

import { useSignalEffect } from '@preact/signals';
import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import { castlingSide, type Position } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import type { Color, Role, Square, SquareName } from 'chessops/types';
import { kingCastlesTo, makeSquare, parseSquare, parseUci } from 'chessops/util';
import { useEffect, useRef, useState } from 'preact/hooks';

import { isChess960, positionAt, turnAt, type TreeNode } from '../chess/tree';
import { currentFindings, analysing } from '../state/analysis';
import { current, mode, orientation, play, step } from '../state/game';
import { game, hint, last as end, moved, myTurn, playing } from '../state/play';
import { judgementOf } from '../state/review';
import { showArrows } from '../state/settings';

interface Pending {
  readonly from: Key;
  readonly to: Key;
  readonly color: Color;
}

/** Chessground also has keys for pieces that are beside the board; a move has none of these. */
const square = (key: Key): Square => parseSquare(key as SquareName);

/** Pixels of the wheel that go one move on. */
const WHEEL_STEP = 60;

const BRUSHES = {
  best: { key: 'best', color: '#3a8f5c', opacity: 0.85, lineWidth: 11 },
  other: { key: 'other', color: '#4a7fb5', opacity: 0.6, lineWidth: 8 },
  hint: { key: 'hint', color: '#c9641f', opacity: 0.85, lineWidth: 11 },
  green: { key: 'g', color: '#15781b', opacity: 1, lineWidth: 10 },
  red: { key: 'r', color: '#882020', opacity: 1, lineWidth: 10 },
  blue: { key: 'b', color: '#003088', opacity: 1, lineWidth: 10 },
  yellow: { key: 'y', color: '#e68f00', opacity: 1, lineWidth: 10 },
};

/** From where to where a move goes on the board; a king that castles goes to its own square. */
function squares(position: Position, uci: string): Key[] {
  const move = parseUci(uci);
  if (!move || !('from' in move)) return [];
  const side = castlingSide(position, move);
  return [makeSquare(move.from), makeSquare(side ? kingCastlesTo(position.turn, side) : move.to)];
}

function arrow(position: Position, uci: string, brush: keyof typeof BRUSHES): DrawShape[] {
  const [orig, dest] = squares(position, uci);
  return orig && dest ? [{ orig, dest, brush }] : [];
}

function shapes(): DrawShape[] {
  const node = current.value;
  const position = positionAt(node);
  if (mode.value === 'play') {
    return hint.value !== null && node === end.value ? arrow(position, hint.value, 'hint') : [];
  }
  if (mode.value === 'review') {
    // Beside the move that was played, the better one from the position before it would stand on the wrong board.
    const next = node.children[0];
    const better = next && judgementOf.value.get(next.id);
    return better?.judgement.verdict && better.better[0] ? arrow(position, better.better[0], 'best') : [];
  }
  if (!analysing.value || !showArrows.value) return [];
  const lines = currentFindings.value?.lines ?? [];
  const firsts = [...new Set(lines.flatMap((line) => line.pv.slice(0, 1)))];
  return firsts.flatMap((uci, index) => arrow(position, uci, index === 0 ? 'best' : 'other')).reverse();
}

/** Who may move pieces at this node, and whose. */
function movable(node: TreeNode): Color | 'both' | undefined {
  if (mode.value !== 'play') return turnAt(node);
  return playing.value && node === end.value ? game.value?.colour : undefined;
}

export function Board() {
  const element = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const [promotion, setPromotion] = useState<Pending | null>(null);

  const enter = (from: Key, to: Key, role?: Role) => {
    const node = play({ from: square(from), to: square(to), ...(role ? { promotion: role } : {}) });
    if (node && mode.value === 'play') moved(node);
    if (!node) refresh();
  };

  const refresh = () => {
    const node = current.value;
    const position = positionAt(node);
    const side = movable(node);
    ground.current?.set({
      fen: node.fen,
      orientation: orientation.value,
      turnColor: position.turn,
      check: position.isCheck() ? position.turn : false,
      lastMove: node.parent ? squares(positionAt(node.parent), node.uci) : [],
      viewOnly: side === undefined && mode.value === 'play' && !playing.value,
      movable: {
        free: false,
        showDests: true,
        rookCastle: true,
        dests: side === undefined ? new Map() : chessgroundDests(position, { chess960: isChess960(position) }),
        ...(side === undefined ? { color: undefined } : { color: side }),
      } as NonNullable<Parameters<Api['set']>[0]['movable']>,
      premovable: { enabled: mode.value === 'play' },
      drawable: { autoShapes: shapes() },
    });
    // A move that was made ahead is played when its turn has come.
    if (myTurn.value && node === end.value) queueMicrotask(() => ground.current?.playPremove());
  };

  useEffect(() => {
    if (!element.current) return;
    const api = Chessground(element.current, {
      animation: { duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180 },
      highlight: { lastMove: true, check: true },
      draggable: { showGhost: true },
      drawable: { enabled: true, brushes: BRUSHES },
      movable: {
        events: {
          after(from, to) {
            const position = positionAt(current.value);
            const pawn = position.board.pawn.has(square(from));
            if (pawn && /[18]$/.test(to)) setPromotion({ from, to, color: position.turn });
            else enter(from, to);
          },
        },
      },
    });
    ground.current = api;
    refresh();
    return () => api.destroy();
  }, []);

  useSignalEffect(refresh);
  useEffect(() => {
    const board = element.current;
    if (!board) return;
    let travelled = 0;
    const wheel = (event: WheelEvent) => {
      if (event.ctrlKey) return;
      event.preventDefault();
      travelled += event.deltaY;
      while (Math.abs(travelled) >= WHEEL_STEP) {
        step(travelled > 0 ? 'next' : 'previous');
        travelled -= Math.sign(travelled) * WHEEL_STEP;
      }
    };
    board.addEventListener('wheel', wheel, { passive: false });
    return () => board.removeEventListener('wheel', wheel);
  }, []);

  const choose = (role: Role | null) => {
    if (promotion && role) enter(promotion.from, promotion.to, role);
    else refresh();
    setPromotion(null);
  };

  return (
    <div class="board" role="img" aria-label="Chessboard" aria-describedby="board-text">
      <div ref={element} class="ground" />
      {promotion && <PromotionChoice color={promotion.color} to={promotion.to} choose={choose} />}
    </div>
  );
}

function PromotionChoice(props: { color: Color; to: Key; choose: (role: Role | null) => void }) {
  const file = props.to.charCodeAt(0) - 97;
  const column = orientation.value === 'white' ? file : 7 - file;
  const top = (props.color === 'white') === (orientation.value === 'white');
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <div
      class="promotion"
      role="dialog"
      aria-label="Promote to"
      onClick={() => props.choose(null)}
      onKeyDown={(event) => event.key === 'Escape' && props.choose(null)}
    >
      <div class={`choices ${top ? 'top' : 'bottom'}`} style={{ left: `${column * 12.5}%` }}>
        {(['queen', 'knight', 'rook', 'bishop'] as const).map((role, index) => (
          <button
            key={role}
            type="button"
            aria-label={role}
            ref={index === 0 ? first : null}
            onClick={(event) => {
              event.stopPropagation();
              props.choose(role);
            }}
          >
            <span class="cg-wrap mini">
              <piece class={`${role} ${props.color}`} />
            </span>
          </button>
        ))}
      </div>
    </div>
  );
}
