/** The moves of the game as a tree: the main line in two columns, variations as running text. */

import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { NAG_GLYPHS } from '../chess/pgn';
import { isMainLine, type TreeNode } from '../chess/tree';
import { announceMove, current, mode, promoteLine, remove, show, tree, version } from '../state/game';
import { judgementOf } from '../state/review';
import { VERDICTS } from '../review/judgement';
import { IconButton } from './icons';

/** Commands in comments, such as clocks and evaluations, are for programs. */
const COMMANDS = /\[%[^\]]*\]/g;

function readable(comments: readonly string[]): string {
  return comments.map((comment) => comment.replace(COMMANDS, '').trim()).filter((text) => text !== '').join(' ');
}

/** Scrolls the list, and only the list: on a phone the board must stay where it is. */
function reveal(move: HTMLElement): void {
  const list = move.closest('.moves-scroll');
  if (!list) return;
  const [inner, outer] = [move.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

function Move({ node, number }: { node: TreeNode; number: string }) {
  const shown = current.value === node;
  const verdict = mode.value === 'review' ? judgementOf.value.get(node.id)?.judgement.verdict : null;
  const nag = node.nags.map((code) => NAG_GLYPHS[code]).find((glyph) => glyph !== undefined);
  const glyph = verdict ? VERDICTS[verdict].glyph : (nag ?? '');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (shown && button.current) reveal(button.current);
  }, [shown]);
  return (
    <button
      ref={button}
      type="button"
      class={`move ${verdict ?? ''}`}
      aria-current={shown ? 'true' : undefined}
      onClick={() => {
        show(node);
        announceMove(node);
      }}
    >
      {number !== '' && <span class="number">{number}</span>}
      {node.san}
      {glyph !== '' && <span class="glyph">{glyph}</span>}
    </button>
  );
}

function numberOf(node: TreeNode, always: boolean): string {
  const [, turn, , , , full = '1'] = node.parent?.fen.split(' ') ?? [];
  return turn === 'w' ? `${full}.` : always ? `${full}…` : '';
}

/** A variation from its first move on. */
function Variation({ first }: { first: TreeNode }) {
  const parts: VNode[] = [];
  let numbered = true;
  for (let node: TreeNode | undefined = first; node; node = node.children[0]) {
    const before = readable(node.before);
    const after = readable(node.comments);
    if (before !== '') parts.push(<span class="comment">{before} </span>);
    parts.push(<Move key={node.id} node={node} number={numberOf(node, numbered)} />);
    numbered = false;
    if (after !== '') {
      parts.push(<span class="comment">{after} </span>);
      numbered = true;
    }
    if (node !== first && node.parent && node.parent.children[0] === node) {
      for (const other of node.parent.children.slice(1)) {
        parts.push(<Variation key={`v${other.id}`} first={other} />);
        numbered = true;
      }
    }
  }
  return <span class="variation">{parts}</span>;
}

export function MoveList() {
  version.value;
  const rows: VNode[] = [];
  let cells: VNode[] = [];
  const flush = (key: string | number) => {
    if (cells.length === 0) return;
    rows.push(<div class="row" key={key}>{cells}</div>);
    cells = [];
  };
  const root = tree.value.root;
  const opening = readable(root.comments);
  if (opening !== '') rows.push(<p class="comment block" key="opening">{opening}</p>);
  for (let node = root.children[0]; node; node = node.children[0]) {
    const white = node.parent?.fen.split(' ')[1] === 'w';
    const before = readable(node.before);
    if (before !== '') {
      flush(`f${node.id}`);
      rows.push(<p class="comment block" key={`b${node.id}`}>{before}</p>);
    }
    if (cells.length === 0) {
      cells.push(<span class="number" key={`n${node.id}`}>{numberOf(node, true).replace('…', '.')}</span>);
      if (!white) cells.push(<span class="gap" key={`g${node.id}`}>…</span>);
    }
    cells.push(<Move key={node.id} node={node} number="" />);
    const comment = readable(node.comments);
    const others = node.parent?.children.slice(1) ?? [];
    if (!white || comment !== '' || others.length > 0) flush(`r${node.id}`);
    if (comment !== '') rows.push(<p class="comment block" key={`c${node.id}`}>{comment}</p>);
    if (others.length > 0) {
      rows.push(
        <div class="variations" key={`o${node.id}`}>
          {others.map((other) => <Variation key={other.id} first={other} />)}
        </div>,
      );
    }
  }
  flush('end');
  const aside = !isMainLine(current.value);
  return (
    <section class="moves" aria-label="Moves">
      <div class="moves-scroll" tabIndex={0} role="group" aria-label="Moves of the game">
        {rows.length === 0 ? <p class="empty">Play a move on the board, or paste a game.</p> : rows}
      </div>
      {aside && mode.value !== 'play' && (
        <div class="variation-tools">
          <span>In a variation</span>
          <IconButton icon="up" label="Make this the main line" onClick={() => promoteLine(current.value)} />
          <IconButton icon="trash" label="Delete from here" onClick={() => remove(current.value)} />
        </div>
      )}
    </section>
  );
}
