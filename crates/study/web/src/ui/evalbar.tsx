/** The bar of winning chances beside the board. */

import { shortScore, speakScore } from '../chess/words';
import { currentValue } from '../state/analysis';
import { current, mode, orientation } from '../state/game';
import { reviewValue } from '../state/review';

export function EvalBar() {
  const value = mode.value === 'review' ? reviewValue(current.value) : mode.value === 'analyse' ? currentValue.value : null;
  const chances = value?.chances ?? 50;
  const text = value ? shortScore(value.score) : '';
  const label = value ? `${Math.round(chances)} percent for White, ${speakScore(value.score)}` : 'not known';
  return (
    <div
      class={`evalbar ${orientation.value}`}
      role="meter"
      aria-label="Winning chances of White"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(chances)}
      aria-valuetext={label}
      title={label}
      hidden={mode.value === 'play'}
    >
      <div class="white" style={{ height: `${chances}%` }} />
      <span class={`score ${chances >= 50 ? 'for-white' : 'for-black'}`}>{text}</span>
    </div>
  );
}
