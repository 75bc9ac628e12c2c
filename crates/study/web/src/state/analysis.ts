/** Analysis of the position that is shown: on as long as the user wants it. */

import { computed, effect, signal, untracked } from '@preact/signals';

import { ending, movesTo, turnAt, type TreeNode } from '../chess/tree';
import { whiteChances, whiteScore } from '../chess/words';
import { parseMessage, type Info, type Score } from '../engine/uci';
import { engine } from './engine';
import { current, mode, tree } from './game';
import { lineCount } from './settings';
import { load, save } from './storage';

/** What is known about a position. */
export interface Findings {
  readonly lines: readonly Info[];
  /** Found in an earlier session, by the store. */
  readonly stored: boolean;
}

/** Lines stream in many times a second; the page shows them this often, in milliseconds. */
const REFRESH = 80;

export const analysing = signal<boolean>(load('analysing', true, (value): value is boolean => typeof value === 'boolean'));
/** Findings by the id of the node. Each is replaced only by a search that knows more, so that nothing flickers. */
const findings = signal<ReadonlyMap<number, Findings>>(new Map());

export const currentFindings = computed<Findings | null>(() => findings.value.get(current.value.id) ?? null);

/** The value of the position that is shown, from White's side. */
export const currentValue = computed<{ score: Score; chances: number; depth: number } | null>(() => {
  const node = current.value;
  const end = ending(node);
  if (end) {
    const chances = end.result === '1-0' ? 100 : end.result === '0-1' ? 0 : 50;
    const score: Score = chances === 50 ? { kind: 'cp', value: 0 } : { kind: 'mate', value: 0 };
    return { score, chances, depth: 0 };
  }
  const best = currentFindings.value?.lines[0];
  if (!best) return null;
  const turn = turnAt(node);
  return { score: whiteScore(best.score, turn), chances: whiteChances(best, turn), depth: best.depth };
});

export const ANALYSIS_OPTIONS = { UCI_AnalyseMode: 'true', UCI_LimitStrength: 'false' } as const;

function record(node: TreeNode, lines: readonly Info[], stored: boolean): void {
  const known = findings.value.get(node.id);
  const [best] = lines;
  if (!best || best.pv.length === 0) return;
  const before = known?.lines[0]?.depth ?? 0;
  const fewer = lines.length < (known?.lines.length ?? 0);
  if (known && (best.depth < before || (best.depth === before && fewer))) return;
  findings.value = new Map(findings.value).set(node.id, { lines, stored });
}

/** Searches the node until something else is wanted. */
function analyse(node: TreeNode, lines: number): () => void {
  /** The newest line of each rank. */
  let building: Info[] = [];
  let timer = 0;
  let wait = 0;
  const flush = () => {
    timer = 0;
    wait = REFRESH;
    const complete = building.filter((info): info is Info => info !== undefined);
    record(node, complete, false);
  };
  void engine.stored({ fen: tree.peek().root.fen, moves: movesTo(node), lines: 1 }).then((stored) => {
    const infos = stored?.info.map(parseMessage).flatMap((message) => (message?.kind === 'info' ? [message.info] : []));
    if (infos) record(node, infos, true);
  });
  return engine.search({
    fen: tree.peek().root.fen,
    moves: movesTo(node),
    go: 'infinite',
    options: { ...ANALYSIS_OPTIONS, MultiPV: String(lines) },
    info(info) {
      if (info.bound !== null || info.pv.length === 0) return;
      building[info.multipv - 1] = info;
      building = building.slice(0, lines);
      if (timer === 0) timer = window.setTimeout(flush, wait);
    },
  });
}

/** Starts and stops the analysis as the page changes. */
export function keepAnalysing(): void {
  effect(() => save('analysing', analysing.value));
  let stop = () => {};
  effect(() => {
    const node = current.value;
    const wanted = mode.value === 'analyse' && analysing.value && ending(node) === null;
    const lines = lineCount.value;
    untracked(() => {
      stop();
      stop = wanted ? analyse(node, lines) : () => {};
    });
  });
}
