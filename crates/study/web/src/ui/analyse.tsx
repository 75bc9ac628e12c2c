/** The panel of the analysis: what the engine thinks of the position that is shown. */

import { addUci, ending, turnAt } from '../chess/tree';
import { sanLine, showCount, showScore, speakScore, whiteScore } from '../chess/words';
import type { Info } from '../engine/uci';
import { analysing, currentFindings } from '../state/analysis';
import { engine } from '../state/engine';
import { announceMove, changed, current, show } from '../state/game';
import { lineCount, showArrows } from '../state/settings';
import { MoveList } from './movelist';

/** Moves of a line that are shown. */
const SHOWN_MOVES = 14;

function Line({ info }: { info: Info }) {
  const node = current.value;
  const score = whiteScore(info.score, turnAt(node));
  const moves = sanLine(node, info.pv, SHOWN_MOVES);
  /** Plays the line up to a move, as a variation. */
  const follow = (count: number) => {
    let at = node;
    for (const { uci } of moves.slice(0, count)) at = addUci(at, uci) ?? at;
    changed();
    show(at);
    announceMove(at);
  };
  return (
    <li class="line">
      <span class={`score ${score.value >= 0 ? 'for-white' : 'for-black'}`} aria-label={speakScore(score)}>
        {showScore(score)}
      </span>
      <span class="pv">
        {moves.map(({ uci, san, number }, index) => (
          <button type="button" key={`${index}${uci}`} onClick={() => follow(index + 1)}>
            {number !== '' && <span class="number">{number}</span>}
            {san}
          </button>
        ))}
      </span>
    </li>
  );
}

function Figures() {
  const findings = currentFindings.value;
  const best = findings?.lines[0];
  const end = ending(current.value);
  if (end) return <span>{end.reason}</span>;
  if (!best) return <span>{analysing.value ? (engine.ready.value ? 'Searching…' : 'Waiting for the engine…') : 'Off'}</span>;
  return (
    <>
      <span>Depth {best.depth}<small>/{best.seldepth}</small></span>
      {findings.stored ? (
        <span>analysed before</span>
      ) : (
        <>
          <span>{showCount(best.nps)}/s</span>
          <span class="wide-only">{showCount(best.nodes)} nodes</span>
        </>
      )}
    </>
  );
}

export function AnalysePanel() {
  const lines = currentFindings.value?.lines.slice(0, lineCount.value) ?? [];
  const rows = Array.from({ length: lineCount.value }, (_, index) => lines[index]);
  return (
    <>
      <section class="card engine" aria-label="Engine">
        <div class="engine-head">
          <label class="switch">
            <input
              type="checkbox"
              role="switch"
              checked={analysing.value}
              onChange={(event) => (analysing.value = event.currentTarget.checked)}
            />
            <span class="track" aria-hidden="true" />
            <span class="name">{engine.name.value}</span>
          </label>
          <div class="figures"><Figures /></div>
        </div>
        <ol class="lines" aria-label="Best lines">
          {rows.map((info, index) =>
            info ? <Line key={index} info={info} /> : <li class="line empty" key={index} aria-hidden="true" />,
          )}
        </ol>
        <div class="engine-foot">
          <div class="segmented small" role="group" aria-label="Number of lines">
            {[1, 2, 3, 4, 5].map((count) => (
              <button
                type="button"
                key={count}
                aria-pressed={lineCount.value === count}
                aria-label={count === 1 ? '1 line' : `${count} lines`}
                onClick={() => (lineCount.value = count)}
              >
                {count}
              </button>
            ))}
          </div>
          <label class="check">
            <input
              type="checkbox"
              checked={showArrows.value}
              onChange={(event) => (showArrows.value = event.currentTarget.checked)}
            />
            Arrows
          </label>
        </div>
      </section>
      <MoveList />
    </>
  );
}
