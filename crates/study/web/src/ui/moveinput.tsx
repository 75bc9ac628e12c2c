/** Moves by keyboard: typed in SAN or UCI. */

import { useState } from 'preact/hooks';

import { positionAt, readMove } from '../chess/tree';
import { current, mode, play } from '../state/game';
import { last, moved, myTurn } from '../state/play';

export function MoveInput() {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const blocked = mode.value === 'play' && (!myTurn.value || current.value !== last.value);
  return (
    <form
      class="move-input"
      onSubmit={(event) => {
        event.preventDefault();
        const move = readMove(positionAt(current.value), text);
        if (!move) return setError(`${text} is not a legal move here`);
        if (blocked) return setError('It is not your turn');
        const node = play(move);
        if (node && mode.value === 'play') moved(node);
        setText('');
        setError('');
      }}
    >
      <input
        id="move-input"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder="Type a move"
        aria-label="Type a move, such as Nf3 or g1f3"
        aria-invalid={error !== ''}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setError('');
        }}
      />
      <span class="fault" role="alert">{error}</span>
    </form>
  );
}
