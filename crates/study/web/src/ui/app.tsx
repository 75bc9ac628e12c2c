/** The whole page. */

import { useEffect, useState } from 'preact/hooks';

import { writePgn } from '../chess/pgn';
import { newTree, positionAt } from '../chess/tree';
import { analysing } from '../state/analysis';
import { engine } from '../state/engine';
import { announce, announcement, current, mode, MODES, orientation, setTree, step, tree, type Mode } from '../state/game';
import { game } from '../state/play';
import { annotateReview } from '../state/review';
import { theme, type Theme } from '../state/settings';
import { AnalysePanel } from './analyse';
import { Board } from './board';
import { EvalBar } from './evalbar';
import { IconButton } from './icons';
import { ImportDialog } from './import';
import { MoveInput } from './moveinput';
import { PlayPanel } from './play';
import { PlayerStrip } from './players';
import { ReviewPanel } from './review';
import { SettingsDialog } from './settings';
import { SetupDialog } from './setup';

const LABELS: Readonly<Record<Mode, string>> = { analyse: 'Analyse', play: 'Play', review: 'Review' };
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

type Open = 'import' | 'setup' | 'settings' | null;

export function App() {
  const [open, setOpen] = useState<Open>(null);
  const [dropped, setDropped] = useState<string | null>(null);
  const close = () => {
    setOpen(null);
    setDropped(null);
  };
  useKeys();
  useEffect(() => dropTarget((text) => {
    setDropped(text);
    setOpen('import');
  }), []);
  return (
    <>
      <Header openSettings={() => setOpen('settings')} />
      <Banner />
      <main>
        <div class="board-column">
          <PlayerStrip place="top" />
          <div class="board-row">
            <EvalBar />
            <Board />
          </div>
          <PlayerStrip place="bottom" />
        </div>
        <div class="side-column">
          <Tools open={setOpen} />
          <div id={`panel-${mode.value}`} class="panel" role="tabpanel" aria-labelledby={`tab-${mode.value}`}>
            {mode.value === 'analyse' ? <AnalysePanel /> : mode.value === 'play' ? <PlayPanel /> : <ReviewPanel />}
          </div>
          <Navigation />
        </div>
      </main>
      <p id="board-text" class="sr-only">{describeBoard()}</p>
      <div class="sr-only" aria-live="polite" role="log">{announcement.value}</div>
      {open === 'import' && <ImportDialog close={close} dropped={dropped} />}
      {open === 'setup' && <SetupDialog close={close} />}
      {open === 'settings' && <SettingsDialog close={close} />}
    </>
  );
}

function Header({ openSettings }: { openSettings: () => void }) {
  const look = { system: 'auto', light: 'sun', dark: 'moon' } as const;
  const nextTheme = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  const choose = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    mode.value = MODES[(MODES.indexOf(mode.value) + by + MODES.length) % MODES.length] ?? 'analyse';
    document.getElementById(`tab-${mode.value}`)?.focus();
  };
  return (
    <header class="top">
      <h1>
        <svg viewBox="0 0 32 32" aria-hidden="true" class="logo">
          <path d="M3 20c6 1 9-2 11-7 1-4 5-7 9-6l6-2-3 4c2 9-4 17-13 17-3 0-5 0-7 2 0-3 1-4 2-5-2 0-4-1-5-3z" />
        </svg>
        Rufous
      </h1>
      <div class="tabs" role="tablist" aria-label="Mode" onKeyDown={choose}>
        {MODES.map((name) => (
          <button
            type="button"
            role="tab"
            key={name}
            id={`tab-${name}`}
            aria-selected={mode.value === name}
            aria-controls={mode.value === name ? `panel-${name}` : undefined}
            tabIndex={mode.value === name ? 0 : -1}
            onClick={() => (mode.value = name)}
          >
            {LABELS[name]}
          </button>
        ))}
      </div>
      <div class="top-tools">
        <IconButton icon={look[theme.value]} label={`Theme: ${theme.value}`} onClick={() => (theme.value = nextTheme)} />
        <IconButton icon="settings" label="Engine settings" onClick={openSettings} />
      </div>
    </header>
  );
}

function Banner() {
  const status = engine.status.value;
  const notice = engine.notice.value;
  if (status.kind !== 'open' && (status.kind === 'closed' || status.reason !== undefined)) {
    return (
      <div class="banner" role="alert">
        {status.reason} {status.kind === 'connecting' && 'Trying again… The game on the board is kept.'}
      </div>
    );
  }
  if (!notice) return null;
  return (
    <div class="banner notice" role="alert">
      {notice.text}
      <IconButton icon="close" label="Dismiss" onClick={() => engine.dismissNotice()} />
    </div>
  );
}

function Tools({ open }: { open: (what: Open) => void }) {
  const copy = (what: string, text: string) => {
    void navigator.clipboard.writeText(text).then(
      () => announce(`${what} copied`),
      () => announce('The browser does not allow copying'),
    );
  };
  const [copied, setCopied] = useState('');
  const tell = (what: string, text: string) => {
    copy(what, text);
    setCopied(what);
    setTimeout(() => setCopied(''), 1200);
  };
  const fresh = () => {
    game.value = null;
    setTree(newTree());
    if (mode.value === 'review') mode.value = 'analyse';
  };
  return (
    <div class="tools" role="toolbar" aria-label="Game">
      <IconButton icon="plus" label="New board" onClick={fresh} />
      <IconButton icon="board" label="Set up a position" onClick={() => open('setup')} />
      <IconButton icon="paste" label="Paste a game or a position" onClick={() => open('import')} />
      <button type="button" class="text-button" onClick={() => tell('FEN', current.value.fen)}>
        {copied === 'FEN' ? 'Copied' : 'Copy FEN'}
      </button>
      <button type="button" class="text-button" onClick={() => tell('PGN', writePgn(tree.value, annotateReview))}>
        {copied === 'PGN' ? 'Copied' : 'Copy PGN'}
      </button>
    </div>
  );
}

function Navigation() {
  const node = current.value;
  const flip = () => (orientation.value = orientation.value === 'white' ? 'black' : 'white');
  return (
    <div class="navigation">
      <div class="buttons" role="toolbar" aria-label="Step through the game">
        <IconButton icon="first" label="First position" onClick={() => step('first')} disabled={!node.parent} />
        <IconButton icon="previous" label="Previous move" onClick={() => step('previous')} disabled={!node.parent} />
        <IconButton icon="next" label="Next move" onClick={() => step('next')} disabled={node.children.length === 0} />
        <IconButton icon="last" label="Last move" onClick={() => step('last')} disabled={node.children.length === 0} />
        <IconButton icon="flip" label="Flip the board" onClick={flip} />
      </div>
      <MoveInput />
    </div>
  );
}

function useKeys(): void {
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select, dialog')) return;
      const steps = {
        ArrowLeft: 'previous', ArrowRight: 'next', ArrowUp: 'up', ArrowDown: 'down', Home: 'first', End: 'last',
      } as const;
      const where = steps[event.key as keyof typeof steps];
      if (where) step(where);
      else if (event.key === 'f') orientation.value = orientation.value === 'white' ? 'black' : 'white';
      else if (event.key === 'm') document.getElementById('move-input')?.focus();
      else if (event.key === ' ' && mode.value === 'analyse' && !target.closest('button')) analysing.value = !analysing.value;
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', down);
    return () => document.removeEventListener('keydown', down);
  }, []);
}

/** Files and texts that are dropped anywhere on the page. */
function dropTarget(take: (text: string) => void): () => void {
  const over = (event: DragEvent) => event.preventDefault();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void file.slice(0, 8 << 20).text().then(take);
    else if (event.dataTransfer?.getData('text')) take(event.dataTransfer.getData('text'));
  };
  document.addEventListener('dragover', over);
  document.addEventListener('drop', drop);
  return () => {
    document.removeEventListener('dragover', over);
    document.removeEventListener('drop', drop);
  };
}

/** The board as a screen reader reads it. */
function describeBoard(): string {
  const position = positionAt(current.value);
  const squares = (color: 'white' | 'black') =>
    (['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'] as const)
      .flatMap((role) => {
        const names = [...position.board.pieces(color, role)].map(
          (square) => 'abcdefgh'.charAt(square & 7) + String((square >> 3) + 1),
        );
        return names.length > 0 ? [`${role}${names.length > 1 ? 's' : ''} ${names.join(', ')}`] : [];
      })
      .join('; ');
  return `White: ${squares('white')}. Black: ${squares('black')}. ${position.turn === 'white' ? 'White' : 'Black'} to move.`;
}
