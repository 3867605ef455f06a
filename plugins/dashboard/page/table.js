/** @import { ComponentChildren } from 'preact' */
import { html } from './html.js';

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {boolean} [isNumber]
 */
/**
 * @typedef {object} Row
 * @property {string} key
 * @property {readonly ComponentChildren[]} cells the first one names the row
 * @property {ComponentChildren} [more] a row below that was opened
 */

/** A table that can be moved sideways where it is too wide, by the keyboard too.
 * @param {{ caption: string, columns: readonly Column[], rows: readonly Row[], isCaptionHidden?: boolean }} props
 */
export const Table = ({ caption, columns, rows, isCaptionHidden = false }) => html`
  <div class="scroll card" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <caption class=${isCaptionHidden ? 'unseen' : ''}>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ title, isNumber }) => html`<th scope="col" class=${isNumber ? 'number' : ''}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ key, cells, more }) => html`
            <tr key=${key}>
              ${cells.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td class=${columns[index]?.isNumber ? 'number' : ''}>${cell}</td>`))}
            </tr>
            ${
              more === undefined
                ? null
                : html`<tr key=${`${key} more`} class="more">
                    <td colspan=${columns.length}><div>${more}</div></td>
                  </tr>`
            }
          `,
        )}
      </tbody>
    </table>
  </div>
`;
