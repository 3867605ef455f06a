/** @import { ComponentChildren } from 'preact' */
import { html } from './html.js';

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {boolean} [isNumber]
 * @property {'small' | 'medium'} [not] screens that are too narrow for this column
 */
/**
 * @typedef {object} Row
 * @property {string} key
 * @property {readonly ComponentChildren[]} cells the first one is the header of the row
 * @property {ComponentChildren} [details] shown in an additional row below
 */

/** @param {Column | undefined} column */
const classOf = (column) =>
  [column?.isNumber ? 'number' : '', column?.not === undefined ? '' : `not-${column.not}`].join(' ').trim();

/** @param {ComponentChildren} cell @param {number} index @param {Column | undefined} column */
const renderCell = (cell, index, column) =>
  index === 0 ? html`<th scope="row">${cell}</th>` : html`<td class=${classOf(column)}>${cell}</td>`;

/**
 * A table that scrolls sideways when it is too wide, also by keyboard.
 * @param {{ caption: string, columns: readonly Column[], rows: readonly Row[], isCaptionHidden?: boolean }} props
 */
export const Table = ({ caption, columns, rows, isCaptionHidden = false }) => html`
  <div class="scroll card" tabindex="0" role="region" aria-label=${`Table: ${caption}`}>
    <table>
      <caption class=${isCaptionHidden ? 'visually-hidden' : ''}>${caption}</caption>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" class=${classOf(column)}>${column.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ key, cells, details }) => html`
            <tr key=${key}>
              ${cells.map((cell, index) => renderCell(cell, index, columns[index]))}
            </tr>
            ${
              details === undefined
                ? null
                : html`<tr key=${`${key} details`} class="details">
                    <td colspan=${columns.length}><div>${details}</div></td>
                  </tr>`
            }
          `,
        )}
      </tbody>
    </table>
  </div>
`;
