/** The strips above and below the board: who plays, what time is left. */

import type { Color } from 'chessops/types';

import { turnAt } from '../chess/tree';
import { showTime } from '../chess/words';
import { mode, orientation, tree, version } from '../state/game';
import { game, last, timeLeft } from '../state/play';

export function PlayerStrip({ place }: { place: 'top' | 'bottom' }) {
  version.value;
  const color: Color = (place === 'bottom') === (orientation.value === 'white') ? 'white' : 'black';
  const header = tree.value.headers.get(color === 'white' ? 'White' : 'Black');
  const rating = tree.value.headers.get(color === 'white' ? 'WhiteElo' : 'BlackElo');
  const name = header && header !== '?' ? header : color === 'white' ? 'White' : 'Black';
  const clock = mode.value === 'play' && game.value?.clock;
  const running = clock && game.value?.end === null && turnAt(last.value) === color;
  return (
    <div class={`player ${place}`}>
      <span class={`side ${color}`} aria-hidden="true" />
      <span class="player-name">{name}</span>
      {rating && rating !== '?' && <span class="quiet">{rating}</span>}
      {clock && (
        <span class={`clock ${running ? 'running' : ''}`} role="timer" aria-label={`Clock of ${name}`}>
          {showTime(timeLeft(color))}
        </span>
      )}
    </div>
  );
}
