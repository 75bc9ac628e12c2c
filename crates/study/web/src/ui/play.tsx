/** The panel of a game against the engine: how to begin one, and what can be done in it. */

import { useState } from 'preact/hooks';

import { engine } from '../state/engine';
import { current, mode } from '../state/game';
import {
  game, giveHint, hinting, last, myTurn, playSettings, resign, startGame, STRONGEST, takeBack, WEAKEST, type Clock,
  type PlaySettings,
} from '../state/play';
import { startReview } from '../state/review';
import { Icon } from './icons';
import { MoveList } from './movelist';

const CLOCKS: readonly (readonly [string, Clock | null])[] = [
  ['No clock', null],
  ['1 + 0', { minutes: 1, increment: 0 }],
  ['3 + 2', { minutes: 3, increment: 2 }],
  ['5 + 3', { minutes: 5, increment: 3 }],
  ['10 + 5', { minutes: 10, increment: 5 }],
  ['30 + 20', { minutes: 30, increment: 20 }],
];

/** Beyond the strongest level is full strength. */
const STEP = 10;
const FULL = STRONGEST + STEP;

function describe(level: number | null): string {
  if (level === null) return 'Full strength';
  const words: readonly (readonly [number, string])[] = [
    [900, 'Just learned the rules'],
    [1200, 'Beginner'],
    [1500, 'Casual player'],
    [1800, 'Club player'],
    [2100, 'Strong club player'],
    [2400, 'Master'],
    [2700, 'Grandmaster'],
  ];
  return words.find(([below]) => level < below)?.[1] ?? 'Superhuman';
}

export function PlayPanel() {
  const [choosing, setChoosing] = useState(false);
  const played = game.value;
  return played === null || choosing ? (
    <NewGame cancel={played ? () => setChoosing(false) : null} started={() => setChoosing(false)} />
  ) : (
    <RunningGame again={() => setChoosing(true)} />
  );
}

function NewGame({ cancel, started }: { cancel: (() => void) | null; started: () => void }) {
  const [settings, setSettings] = useState<PlaySettings>(playSettings.value);
  const change = (part: Partial<PlaySettings>) => setSettings({ ...settings, ...part });
  const level = settings.level ?? FULL;
  const same = (clock: Clock | null) =>
    clock?.minutes === settings.clock?.minutes && clock?.increment === settings.clock?.increment;
  return (
    <form
      class="card new-game"
      onSubmit={(event) => {
        event.preventDefault();
        startGame(settings);
        started();
      }}
    >
      <h2>New game</h2>
      <div class="field">
        <label for="level">Strength</label>
        <output for="level" class="level">
          <strong>{settings.level ?? 'Full'}</strong> <span>{describe(settings.level)}</span>
        </output>
        <input
          id="level"
          type="range"
          min={WEAKEST}
          max={FULL}
          step={STEP}
          value={level}
          aria-valuetext={settings.level === null ? 'full strength' : `${settings.level} Elo`}
          onInput={(event) => {
            const value = event.currentTarget.valueAsNumber;
            change({ level: value >= FULL ? null : value });
          }}
        />
      </div>
      <fieldset class="field">
        <legend>You play</legend>
        <div class="segmented">
          {(['white', 'random', 'black'] as const).map((colour) => (
            <button
              type="button"
              key={colour}
              aria-pressed={settings.colour === colour}
              onClick={() => change({ colour })}
            >
              {{ white: 'White', random: 'Either', black: 'Black' }[colour]}
            </button>
          ))}
        </div>
      </fieldset>
      <fieldset class="field">
        <legend>Minutes + increment in seconds</legend>
        <div class="segmented wrap">
          {CLOCKS.map(([label, clock]) => (
            <button type="button" key={label} aria-pressed={same(clock)} onClick={() => change({ clock })}>
              {label}
            </button>
          ))}
        </div>
      </fieldset>
      <fieldset class="field">
        <legend>Start from</legend>
        <div class="segmented">
          <button
            type="button"
            aria-pressed={!settings.chess960 && !settings.fromBoard}
            onClick={() => change({ chess960: false, fromBoard: false })}
          >
            Standard
          </button>
          <button
            type="button"
            aria-pressed={settings.chess960}
            onClick={() => change({ chess960: true, fromBoard: false })}
          >
            Chess960
          </button>
          <button
            type="button"
            aria-pressed={settings.fromBoard}
            onClick={() => change({ chess960: false, fromBoard: true })}
          >
            This board
          </button>
        </div>
      </fieldset>
      <div class="actions">
        <button type="submit" class="primary" disabled={!engine.ready.value}>Play</button>
        {cancel && <button type="button" onClick={cancel}>Back</button>}
      </div>
    </form>
  );
}

function RunningGame({ again }: { again: () => void }) {
  const played = game.value;
  if (!played) return null;
  const review = () => {
    mode.value = 'review';
    current.value = last.value;
    startReview(false);
  };
  const state = played.end
    ? `${played.end.reason} · ${played.end.result.replace('1/2-1/2', '½–½').replace('-', '–')}`
    : myTurn.value
      ? 'Your move'
      : 'Rufous is thinking…';
  return (
    <>
      <section class="card game-state" aria-label="Game">
        <p class={`state ${played.end ? 'over' : ''}`} role="status">{state}</p>
        <div class="actions">
          {played.end ? (
            <>
              <button type="button" class="primary" onClick={review} disabled={last.value.ply === 0}>Review the game</button>
              <button type="button" onClick={again}>New game</button>
            </>
          ) : (
            <>
              <button type="button" onClick={takeBack} disabled={last.value.ply < 1}><Icon name="undo" />Take back</button>
              <button type="button" onClick={giveHint} disabled={!myTurn.value || hinting.value}><Icon name="hint" />Hint</button>
              <button type="button" onClick={resign}><Icon name="flag" />Resign</button>
            </>
          )}
        </div>
      </section>
      <MoveList />
    </>
  );
}
