import { html } from './html.js';

/**
 * A single figure with its name.
 * @typedef {object} Tile
 * @property {string} name
 * @property {string} value
 * @property {string} [note]
 * @property {'good' | 'warn' | 'bad'} [tone]
 */

/** @param {{ tiles: readonly Tile[] }} props */
export const Tiles = ({ tiles }) => html`
  <dl class="tiles">
    ${tiles.map(
      ({ name, value, note, tone }) => html`
        <div class="tile card" key=${name}>
          <dt>${name}</dt>
          <dd>
            <span class=${`figure ${tone ?? ''}`}>${value}</span>
            ${note === undefined ? null : html`<span class="muted note">${note}</span>`}
          </dd>
        </div>
      `,
    )}
  </dl>
`;
