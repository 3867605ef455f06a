import { html } from './html.js';
import { Sparkline } from './sparkline.js';

/**
 * A single figure with its name.
 * @typedef {object} Tile
 * @property {string} name
 * @property {string} value
 * @property {string | undefined} [note]
 * @property {'good' | 'warn' | 'bad' | undefined} [tone]
 * @property {readonly number[] | undefined} [course] earlier values, for a line below the figure
 */

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
