import { html } from './html.js';

/**
 * A single figure with its name.
 * @typedef {object} Tile
 * @property {string} name
 * @property {string} value
 * @property {string | undefined} [note]
 * @property {'good' | 'warn' | 'bad' | undefined} [tone]
 * @property {readonly number[] | undefined} [course] earlier values, for a line below the figure
 */

/**
 * The course of a figure as a line without axes, beside the figure itself.
 * @param {{ values: readonly number[] }} props
 */
const Sparkline = ({ values }) => {
  const most = Math.max(...values, Number.MIN_VALUE);
  const step = 100 / Math.max(1, values.length - 1);
  const points = values.map((value, index) => `${(index * step).toFixed(2)},${(22 - (20 * value) / most).toFixed(2)}`);
  return values.length < 2
    ? null
    : html`<svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
        <polyline points=${points.join(' ')} />
      </svg>`;
};

/** @param {{ tiles: readonly Tile[] }} props */
export const Tiles = ({ tiles }) => html`
  <dl class="tiles">
    ${tiles.map(
      ({ name, value, note, tone, course }) => html`
        <div class="tile" key=${name}>
          <dt>${name}</dt>
          <dd>
            <span class=${`figure ${tone ?? ''}`}>${value}</span>
            ${note !== undefined && html`<span class="muted note">${note}</span>`}
            ${course !== undefined && html`<${Sparkline} values=${course} />`}
          </dd>
        </div>
      `,
    )}
  </dl>
`;
