/** The panel of the review: the curve, the summary, and what each move was worth. */

import { addUci } from '../chess/tree';
import { sanLine, showScore } from '../chess/words';
import { VERDICTS, type Verdict } from '../review/judgement';
import { changed, current, show, tree } from '../state/game';
import {
  complete, effort, EFFORTS, explain, judgementOf, judged, positions, progress, results, reviewing, startReview, stopReview,
  summary, type Effort, type JudgedMove,
} from '../state/review';
import { MoveList } from './movelist';

export function ReviewPanel() {
  const moves = positions.value.length - 1;
  if (moves < 1) {
    return (
      <section class="card">
        <h2>Review</h2>
        <p>There is no game on the board yet. Play one, or paste a PGN, and every move of it will be judged here.</p>
      </section>
    );
  }
  return (
    <>
      <Control />
      <Curve />
      {progress.value.done > 1 && <SummaryTable />}
      <Explanation />
      <MoveList />
    </>
  );
}

function Control() {
  const { done, all } = progress.value;
  const running = reviewing.value;
  return (
    <section class="card review-control" aria-label="Review">
      <div class="segmented small" role="group" aria-label="Effort">
        {(Object.keys(EFFORTS) as Effort[]).map((name) => (
          <button
            type="button"
            key={name}
            aria-pressed={effort.value === name}
            disabled={running}
            onClick={() => (effort.value = name)}
          >
            {EFFORTS[name].label}
          </button>
        ))}
      </div>
      {running ? (
        <button type="button" onClick={stopReview}>Stop</button>
      ) : (
        <button type="button" class="primary" onClick={() => startReview(complete.value)}>
          {complete.value ? 'Review again' : done > 1 ? 'Go on' : 'Review this game'}
        </button>
      )}
      {(running || (done > 1 && !complete.value)) && (
        <progress value={done} max={all} aria-label="Progress of the review">{`${done} of ${all}`}</progress>
      )}
    </section>
  );
}

const WIDTH = 1000;
const HEIGHT = 200;

function Curve() {
  const all = results.value;
  const nodes = positions.value;
  const x = (index: number) => (all.length < 2 ? 0 : (index / (all.length - 1)) * WIDTH);
  const y = (chances: number) => HEIGHT - (chances / 100) * HEIGHT;
  const known = all.flatMap((result, index) => (result ? [{ index, chances: result.chances }] : []));
  const points = known.map(({ index, chances }) => `${x(index).toFixed(1)},${y(chances).toFixed(1)}`);
  const first = known[0];
  const last = known.at(-1);
  const area = first && last ? `M${x(first.index)},${HEIGHT} L${points.join(' L')} L${x(last.index)},${HEIGHT} Z` : '';
  const at = nodes.indexOf(current.value);
  const marked = judged.value.flatMap((move, index) => (move?.judgement.verdict ? [{ move, index: index + 1 }] : []));
  const go = (event: MouseEvent & { currentTarget: SVGSVGElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const index = Math.round(((event.clientX - box.left) / box.width) * (nodes.length - 1));
    const node = nodes[Math.max(0, Math.min(nodes.length - 1, index))];
    if (node) show(node);
  };
  return (
    <section class="card curve-card" aria-label="Winning chances over the game">
      <svg
        class="curve"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Winning chances of White, ${known.length} positions known`}
        onClick={go}
      >
        <rect class="back" width={WIDTH} height={HEIGHT} />
        <path class="area" d={area} />
        <line class="middle" x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {points.length > 1 && <polyline class="trace" points={points.join(' ')} />}
        {at >= 0 && <line class="here" x1={x(at)} x2={x(at)} y1={0} y2={HEIGHT} />}
      </svg>
      {marked.map(({ move, index }) => (
        <button
          type="button"
          key={move.node.id}
          class={`mark ${move.judgement.verdict}`}
          style={{ left: `${(x(index) / WIDTH) * 100}%`, top: `${100 - (all[index]?.chances ?? 50)}%` }}
          aria-label={explain(move)}
          title={explain(move)}
          onClick={() => show(move.node)}
        />
      ))}
    </section>
  );
}

function SummaryTable() {
  const { white, black } = summary.value;
  const headers = tree.value.headers;
  const percent = (value: number | null) => (value === null ? '–' : `${value.toFixed(0)} %`);
  const loss = (value: number | null) => (value === null ? '–' : value.toFixed(0));
  const rows: readonly (readonly [string, string, string, string])[] = [
    ['Accuracy', percent(white.accuracy), percent(black.accuracy), 'accuracy'],
    ...(['inaccuracy', 'mistake', 'blunder'] as const satisfies readonly Verdict[]).map(
      (verdict) =>
        [VERDICTS[verdict].plural, String(white.counts[verdict]), String(black.counts[verdict]), verdict] as const,
    ),
    ['Centipawn loss', loss(white.averageLoss), loss(black.averageLoss), ''],
  ];
  return (
    <section class="card summary" aria-label="Summary">
      <table>
        <thead>
          <tr>
            <th scope="col"><span class="side white" aria-hidden="true" />{headers.get('White') ?? 'White'}</th>
            <td />
            <th scope="col"><span class="side black" aria-hidden="true" />{headers.get('Black') ?? 'Black'}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, left, right, kind]) => (
            <tr key={label} class={kind}>
              <td>{left}</td>
              <th scope="row">{label}</th>
              <td>{right}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Explanation() {
  const move: JudgedMove | undefined = judgementOf.value.get(current.value.id);
  if (!move?.node.parent) return null;
  const parent = move.node.parent;
  const line = move.judgement.verdict ? sanLine(parent, move.better, 8) : [];
  const follow = (count: number) => {
    let at = parent;
    for (const { uci } of line.slice(0, count)) at = addUci(at, uci) ?? at;
    changed();
    show(at);
  };
  return (
    <section class={`card explanation ${move.judgement.verdict ?? 'good'}`} aria-label="This move">
      <p>
        <strong class="score">{showScore(move.score)}</strong> {explain(move)}
      </p>
      {line.length > 0 && (
        <p class="pv">
          {line.map(({ uci, san, number }, index) => (
            <button type="button" key={`${index}${uci}`} onClick={() => follow(index + 1)}>
              {number !== '' && <span class="number">{number}</span>}
              {san}
            </button>
          ))}
        </p>
      )}
    </section>
  );
}
