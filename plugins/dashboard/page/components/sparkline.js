import { html } from './html.js';

/**
 * The course of a figure as a line without axes, beside the figure itself.
 * @param {{ values: readonly number[] }} props
 */
export const Sparkline = ({ values }) => {
  const most = Math.max(...values, Number.MIN_VALUE);
  const step = 100 / Math.max(1, values.length - 1);
  const points = values.map((value, index) => `${(index * step).toFixed(2)},${(22 - (20 * value) / most).toFixed(2)}`);
  return values.length < 2
    ? null
    : html`<svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
        <polyline points=${points.join(' ')} />
      </svg>`;
};
