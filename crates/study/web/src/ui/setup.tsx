/** Sets a position up, piece by piece, by its FEN, or as a start position of Chess960. */

import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { Piece } from 'chessground/types';
import { INITIAL_FEN } from 'chessops/fen';
import { useEffect, useRef, useState } from 'preact/hooks';

import { chess960Fen } from '../chess/chess960';
import { newTree, readFen } from '../chess/tree';
import { current, mode, orientation, setTree } from '../state/game';
import { game } from '../state/play';
import { Dialog } from './dialog';

const ROLES = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'] as const;
const RIGHTS = ['K', 'Q', 'k', 'q'] as const;
const RIGHT_NAMES = { K: 'White O-O', Q: 'White O-O-O', k: 'Black O-O', q: 'Black O-O-O' } as const;
const EMPTY = '8/8/8/8/8/8/8/8 w - - 0 1';

type Tool = Piece | 'erase' | null;

export function SetupDialog({ close }: { close: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const [fen, setFen] = useState(current.value.fen);
  const [tool, setTool] = useState<Tool>(null);
  const toolNow = useRef<Tool>(null);
  toolNow.current = tool;
  const fenNow = useRef(fen);
  fenNow.current = fen;

  const fields = fen.trim().split(/\s+/);
  const [, turn = 'w', castling = '-'] = fields;
  const change = (part: { board?: string; turn?: string; castling?: string }) => {
    const [board = '', side = 'w', rights = '-'] = fenNow.current.trim().split(/\s+/);
    setFen(`${part.board ?? board} ${part.turn ?? side} ${part.castling ?? rights} - 0 1`);
  };

  useEffect(() => {
    if (!element.current) return;
    const api = Chessground(element.current, {
      fen,
      orientation: orientation.value,
      animation: { enabled: false },
      highlight: { lastMove: false },
      movable: { free: true, color: 'both' },
      premovable: { enabled: false },
      drawable: { enabled: false },
      draggable: { deleteOnDropOff: true },
      events: {
        change: () => change({ board: api.getFen() }),
        select(key) {
          const piece = toolNow.current;
          if (piece === null) return;
          api.selectSquare(null);
          api.setPieces(new Map([[key, piece === 'erase' ? undefined : piece]]));
          change({ board: api.getFen() });
        },
      },
    });
    ground.current = api;
    return () => api.destroy();
  }, []);

  const replace = (next: string) => {
    setFen(next);
    const board = next.trim().split(/\s+/)[0];
    if (board) ground.current?.set({ fen: board });
  };

  const position = readFen(fen);
  const problem = position instanceof Error ? position.message : null;
  const rights = (right: string, on: boolean) => {
    const rest = castling === '-' ? '' : castling;
    const next = on ? rest + right : rest.replace(right, '');
    change({ castling: RIGHTS.filter((known) => next.includes(known)).join('') || '-' });
  };
  const use = () => {
    if (problem !== null) return;
    game.value = null;
    if (mode.value === 'play') mode.value = 'analyse';
    setTree(newTree(fen));
    close();
  };
  const same = (one: Tool, other: Tool) =>
    one === other || (typeof one === 'object' && typeof other === 'object' && one?.role === other?.role && one?.color === other?.color);

  return (
    <Dialog title="Set up a position" close={close} wide>
      <div class="setup">
        <div class="setup-board">
          <div class="board small"><div ref={element} class="ground" /></div>
        </div>
        <div class="setup-tools">
          {(['white', 'black'] as const).map((color) => (
            <div class="palette" key={color} role="group" aria-label={`${color} pieces`}>
              {ROLES.map((role) => (
                <button
                  type="button"
                  key={role}
                  aria-label={`${color} ${role}`}
                  aria-pressed={same(tool, { role, color })}
                  onClick={() => setTool(same(tool, { role, color }) ? null : { role, color })}
                >
                  <span class="cg-wrap mini"><piece class={`${role} ${color}`} /></span>
                </button>
              ))}
            </div>
          ))}
          <div class="actions">
            <button type="button" aria-pressed={tool === 'erase'} onClick={() => setTool(tool === 'erase' ? null : 'erase')}>Eraser</button>
            <button type="button" onClick={() => replace(INITIAL_FEN)}>Start</button>
            <button type="button" onClick={() => replace(EMPTY)}>Clear</button>
          </div>
          <div class="segmented" role="group" aria-label="Side to move">
            <button type="button" aria-pressed={turn === 'w'} onClick={() => change({ turn: 'w' })}>White to move</button>
            <button type="button" aria-pressed={turn === 'b'} onClick={() => change({ turn: 'b' })}>Black to move</button>
          </div>
          <div class="checks" role="group" aria-label="Castling rights">
            {RIGHTS.map((right) => (
              <label class="check" key={right}>
                <input
                  type="checkbox"
                  checked={castling.includes(right)}
                  onChange={(event) => rights(right, event.currentTarget.checked)}
                />
                {RIGHT_NAMES[right]}
              </label>
            ))}
          </div>
          <label class="field inline">
            Chess960 position
            <input
              type="number"
              min={0}
              max={959}
              placeholder="0–959"
              onInput={(event) => {
                const number = event.currentTarget.valueAsNumber;
                if (Number.isInteger(number) && number >= 0 && number <= 959) replace(chess960Fen(number));
              }}
            />
          </label>
        </div>
      </div>
      <label class="field">
        FEN
        <input
          type="text"
          class="mono"
          spellcheck={false}
          value={fen}
          aria-invalid={problem !== null}
          onInput={(event) => replace(event.currentTarget.value)}
        />
      </label>
      <p class="fault" role="status">{problem === null ? '' : `Not possible: ${problem}.`}</p>
      <div class="actions">
        <button type="button" class="primary" disabled={problem !== null} onClick={use}>Use this position</button>
      </div>
    </Dialog>
  );
}
