/** Reads a FEN or a PGN that was pasted, dropped or chosen. */

import { useState } from 'preact/hooks';

import { readPgn, type PgnGame } from '../chess/pgn';
import { mainLine, newTree, readFen } from '../chess/tree';
import { announce, mode, setTree } from '../state/game';
import { game } from '../state/play';
import { Dialog } from './dialog';

/** Bytes of a file that are read. */
const LARGEST_FILE = 8 << 20;

const looksLikeFen = (text: string) => /^\s*[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+){7}(\s|$)/.test(text);

function use(loaded: PgnGame): void {
  // A game that is being played ends where another is put on the board.
  game.value = null;
  if (mode.value === 'play') mode.value = 'analyse';
  setTree(loaded.tree);
  announce(`Game loaded, ${mainLine(loaded.tree.root).length - 1} half moves.`);
}

function title({ tree }: PgnGame, index: number): string {
  const header = (name: string) => tree.headers.get(name) ?? '?';
  const moves = Math.ceil((mainLine(tree.root).length - 1) / 2);
  return `${index + 1}. ${header('White')} – ${header('Black')}, ${header('Result')}, ${moves} moves`;
}

export function ImportDialog({ close, dropped }: { close: () => void; dropped: string | null }) {
  const [text, setText] = useState(dropped ?? '');
  const [error, setError] = useState<string | null>(null);
  const [games, setGames] = useState<readonly PgnGame[]>([]);

  const read = (source: string) => {
    setError(null);
    setGames([]);
    if (source.trim() === '') return setError('Paste a FEN or a PGN first.');
    if (looksLikeFen(source)) {
      // Four fields are an EPD; the counters are then those of a new game.
      const fields = source.trim().split(/\s+/);
      const position = readFen(fields.slice(0, fields.length >= 6 ? 6 : 4).join(' '));
      if (position instanceof Error) return setError(`Invalid FEN: ${position.message}.`);
      game.value = null;
      if (mode.value === 'play') mode.value = 'analyse';
      setTree(newTree(fields.slice(0, fields.length >= 6 ? 6 : 4).join(' ')));
      return close();
    }
    const found = readPgn(source);
    const good = found.filter(({ tree }) => tree.root.children.length > 0 || tree.headers.size > 0);
    const [only] = good;
    if (!only) return setError('There is neither a FEN nor a game in this text.');
    if (good.length === 1 && only.faults.length === 0) {
      use(only);
      return close();
    }
    setGames(good);
  };

  const file = (list: FileList | null) => {
    const chosen = list?.[0];
    if (!chosen) return;
    if (chosen.size > LARGEST_FILE) return setError('The file is larger than 8 MB.');
    void chosen.text().then((content) => {
      setText(content.slice(0, 200_000));
      read(content);
    });
  };

  return (
    <Dialog title="Paste a game or a position" close={close} wide>
      <textarea
        class="mono"
        rows={8}
        aria-label="FEN or PGN"
        placeholder="FEN or PGN"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {error !== null && <p class="fault" role="alert">{error}</p>}
      {games.length > 0 && (
        <div class="games" role="group" aria-label="Games found">
          {games.map((found, index) => (
            <div key={index}>
              <button type="button" onClick={() => { use(found); close(); }}>{title(found, index)}</button>
              {found.faults.map((fault) => (
                <p class="fault" role="alert" key={`${fault.line}:${fault.column}`}>
                  Line {fault.line}, column {fault.column}: {fault.message}
                </p>
              ))}
            </div>
          ))}
        </div>
      )}
      <div class="actions">
        <button type="button" class="primary" onClick={() => read(text)}>Load</button>
        <label class="button">
          Choose a file
          <input type="file" class="sr-only" accept=".pgn,.fen,.epd,.txt" onChange={(event) => file(event.currentTarget.files)} />
        </label>
      </div>
    </Dialog>
  );
}
