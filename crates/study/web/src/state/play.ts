/** A game against the engine. */

import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { Color } from 'chessops/types';

import { chess960Fen } from '../chess/chess960';
import { addUci, ending, mainLine, movesTo, newTree, positionAt, turnAt, type Ending, type TreeNode } from '../chess/tree';
import { sanLine, speakSan } from '../chess/words';
import { ANALYSIS_OPTIONS } from './analysis';
import { engine } from './engine';
import { announce, announceMove, changed, current, mode, orientation, remove, setTree, show, tree, version } from './game';
import { isRecord, load, save } from './storage';

export const WEAKEST = 600;
export const STRONGEST = 3190;

export interface Clock {
  /** Minutes at the start. */
  readonly minutes: number;
  /** Seconds gained by each move. */
  readonly increment: number;
}

export interface PlaySettings {
  /** Elo, or `null` for full strength. */
  readonly level: number | null;
  readonly colour: Color | 'random';
  readonly clock: Clock | null;
  readonly chess960: boolean;
  /** Start from the position on the board. */
  readonly fromBoard: boolean;
}

export interface PlayedGame {
  readonly level: number | null;
  /** The colour of the person. */
  readonly colour: Color;
  readonly clock: Clock | null;
  /** Milliseconds left, as of the last move. */
  readonly left: Readonly<Record<Color, number>>;
  readonly end: Ending | null;
}

const isSettings = (value: unknown): value is PlaySettings =>
  isRecord(value) && 'level' in value && 'colour' in value && 'clock' in value && 'chess960' in value;
const isGame = (value: unknown): value is PlayedGame =>
  isRecord(value) && isRecord(value['left']) && 'level' in value && 'colour' in value && 'clock' in value;

export const playSettings = signal<PlaySettings>(
  load('play', { level: 1200, colour: 'white', clock: null, chess960: false, fromBoard: false }, isSettings),
);
export const game = signal<PlayedGame | null>(load<PlayedGame | null>('played', null, isGame));
/** The move that a hint shows, in UCI. */
export const hint = signal<string | null>(null);
export const hinting = signal(false);
/** Changes while a clock runs. */
const tick = signal(0);
/** When the clock of the side to move began to run, by the browser's clock. */
let runningSince: number | null = null;

/** The end of the game's only line. */
export const last = computed<TreeNode>(() => {
  version.value;
  return mainLine(tree.value.root).at(-1) ?? tree.value.root;
});

export const playing = computed(() => mode.value === 'play' && game.value !== null && game.value.end === null);
export const myTurn = computed(() => playing.value && turnAt(last.value) === game.value?.colour);

/** What a side has left now. */
export function timeLeft(color: Color): number {
  tick.value;
  const played = game.value;
  if (!played) return 0;
  const runs = runningSince !== null && played.end === null && turnAt(last.value) === color;
  return Math.max(0, played.left[color] - (runs ? performance.now() - (runningSince ?? 0) : 0));
}

function name(level: number | null): string {
  return level === null ? 'Rufous' : `Rufous (level ${level})`;
}

export function startGame(settings: PlaySettings): void {
  playSettings.value = settings;
  const colour = settings.colour === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : settings.colour;
  const fen = settings.fromBoard
    ? current.value.fen
    : settings.chess960
      ? chess960Fen(Math.floor(Math.random() * 960))
      : undefined;
  const next = newTree(fen);
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '.');
  const start = (settings.clock?.minutes ?? 0) * 60_000;
  next.headers = new Map([
    ['Event', 'Game against Rufous'],
    ['Date', today],
    ['White', colour === 'white' ? 'You' : name(settings.level)],
    ['Black', colour === 'black' ? 'You' : name(settings.level)],
    ['Result', '*'],
    ...(settings.clock ? [['TimeControl', `${settings.clock.minutes * 60}+${settings.clock.increment}`] as const] : []),
    ...next.headers,
  ]);
  runningSince = null;
  engine.newGame();
  batch(() => {
    hint.value = null;
    setTree(next);
    orientation.value = colour;
    game.value = {
      level: settings.level,
      colour,
      clock: settings.clock,
      left: { white: start, black: start },
      end: null,
    };
    mode.value = 'play';
  });
  announce(`A new game. You play ${colour}.`);
}

function finish(end: Ending): void {
  const played = game.value;
  if (!played || played.end) return;
  batch(() => {
    game.value = { ...played, left: { white: timeLeft('white'), black: timeLeft('black') }, end };
    runningSince = null;
    tree.value.headers.set('Result', end.result);
    changed();
  });
  announce(`${end.reason}. ${end.result}`);
}

/** Hands the clock over behind a move, which is at the end of the game now. */
export function moved(node: TreeNode): void {
  const played = game.value;
  const mover = node.parent && turnAt(node.parent);
  if (!played || played.end || !mover) return;
  hint.value = null;
  if (played.clock) {
    const spent = runningSince === null ? 0 : performance.now() - runningSince;
    const left = Math.max(0, played.left[mover] - spent) + played.clock.increment * 1000;
    game.value = { ...played, left: { ...played.left, [mover]: left } };
    const seconds = Math.round(left / 1000);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const [hours, ...rest] = parts.map((part) => String(part).padStart(2, '0'));
    node.comments = [`[%clk ${Number(hours)}:${rest.join(':')}]`];
    changed();
    // The clocks start when both sides have had the chance to look: behind the first move.
    runningSince = performance.now();
  }
  const end = ending(node);
  if (end) finish(end);
}

export function resign(): void {
  const colour = game.value?.colour;
  if (colour) finish({ result: colour === 'white' ? '0-1' : '1-0', reason: 'You resigned' });
}

/** Takes the person's last move back, and the answer to it. */
export function takeBack(): void {
  const played = game.value;
  if (!played || played.end) return;
  let node: TreeNode | null = last.value;
  while (node?.parent && turnAt(node.parent) !== played.colour) node = node.parent;
  if (!node?.parent) return;
  const parent = node.parent;
  batch(() => {
    if (node) remove(node);
    show(parent);
    hint.value = null;
  });
  if (played.clock) runningSince = performance.now();
  announce('The last move was taken back.');
}

export function giveHint(): void {
  const node = last.value;
  if (!myTurn.value || hinting.value) return;
  hinting.value = true;
  engine.search({
    fen: tree.value.root.fen,
    moves: movesTo(node),
    go: 'movetime 400',
    options: { ...ANALYSIS_OPTIONS, MultiPV: '1' },
    done(best) {
      hinting.value = false;
      if (node !== last.value || !best) return;
      hint.value = best;
      announce(`Hint: ${speakSan(sanLine(node, [best])[0]?.san ?? best)}`);
    },
  });
}

/** A level that answers within a millisecond is hard to follow: it waits this long. */
const LEAST_WAIT = 350;

function answer(node: TreeNode): () => void {
  const played = game.peek();
  if (!played) return () => {};
  const asked = performance.now();
  const whole = (color: Color) => Math.max(1, Math.round(timeLeft(color)));
  const increment = (played.clock?.increment ?? 0) * 1000;
  const go = played.clock
    ? `wtime ${whole('white')} btime ${whole('black')} winc ${increment} binc ${increment}`
    : 'movetime 1000';
  const strength =
    played.level === null
      ? { UCI_LimitStrength: 'false' }
      : { UCI_LimitStrength: 'true', UCI_Elo: String(played.level) };
  let timer = 0;
  const stop = engine.search({
    fen: tree.peek().root.fen,
    moves: movesTo(node),
    go,
    options: { UCI_AnalyseMode: 'false', MultiPV: '1', ...strength },
    done(best) {
      const late = LEAST_WAIT - (performance.now() - asked);
      timer = window.setTimeout(() => {
        if (best && playing.peek() && last.peek() === node) enter(node, best);
      }, Math.max(0, late));
    },
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** The engine plays its move. */
function enter(node: TreeNode, uci: string): void {
  const follow = current.value === node;
  const child = addUci(node, uci);
  if (!child) return;
  batch(() => {
    changed();
    if (follow) show(child);
    moved(child);
  });
  announceMove(child);
}

/** Lets the engine answer, runs the clocks, and keeps the game over a reload. */
export function keepPlaying(): void {
  effect(() => save('play', playSettings.value));
  effect(() => save('played', game.value));
  let stop = () => {};
  effect(() => {
    const thinking = playing.value && !myTurn.value;
    const node = last.value;
    untracked(() => {
      stop();
      hinting.value = false;
      stop = thinking && ending(node) === null ? answer(node) : () => {};
    });
  });
  effect(() => {
    if (!playing.value || !game.value?.clock) return;
    // After a reload the clock goes on from where it was.
    if (untracked(() => last.value.ply) > 0) runningSince ??= performance.now();
    const timer = window.setInterval(() => {
      tick.value++;
      for (const color of ['white', 'black'] as const) {
        if (timeLeft(color) > 0 || turnAt(last.peek()) !== color) continue;
        const winner = color === 'white' ? 'black' : 'white';
        const drawn = positionAt(last.peek()).hasInsufficientMaterial(winner);
        const result = drawn ? '1/2-1/2' : winner === 'white' ? '1-0' : '0-1';
        finish({ result, reason: drawn ? 'Draw: time ran out, but the opponent has insufficient material' : `${color === 'white' ? 'White' : 'Black'} lost on time` });
      }
    }, 100);
    return () => clearInterval(timer);
  });
}
