/** @import { ComponentChildren } from 'preact' */
/** @import { File, Pages } from './foot.js' */
import { useState } from 'preact/hooks';
import { zoneName } from '../../data/zone.js';
import { html } from '../html.js';
import { Foot } from './foot.js';

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {boolean} [isNumber]
 * @property {boolean} [isTime] the title has the zone of the times
 * @property {'small' | 'medium' | undefined} [not] screens that are too narrow for this column
 * @property {string} [sort] the member of `values` that the column is sorted by
 */
/**
 * @typedef {object} Row
 * @property {string} key
 * @property {readonly ComponentChildren[]} cells the first one is the header of the row
 * @property {Readonly<Record<string, string | number | null | undefined>>} [values] to sort by
 * @property {string} [select] what the checkbox of the row selects; absent: the row cannot be selected
 * @property {ComponentChildren} [details] shown in an additional row below
 */
/** @typedef {{ selected: ReadonlySet<string>, choose: (keys: ReadonlySet<string>) => void }} Selection */
/**
 * The order of a list that the gateway sorts, such as `-cost`.
 * @typedef {{ by: string, choose: (by: string) => void }} Order
 */

/** `-cost` as `['cost', true]`. @param {string} by @returns {readonly [name: string, isDown: boolean]} */
const orderOf = (by) => (by.startsWith('-') ? [by.slice(1), true] : [by, false]);

/** @param {string | number} one @param {string | number} other */
const compare = (one, other) =>
  typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));

/** Rows without a value are last in both directions. @param {readonly Row[]} rows @param {string} by */
const sortRows = (rows, by) => {
  const [name, isDown] = orderOf(by);
  if (name === '') return rows;
  return rows.toSorted(({ values: one = {} }, { values: other = {} }) => {
    const [left, right] = [one[name] ?? undefined, other[name] ?? undefined];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return isDown ? compare(right, left) : compare(left, right);
  });
};

/** @param {Column | undefined} column */
const classOf = (column) =>
  [column?.isNumber ? 'number' : '', column?.not === undefined ? '' : `not-${column.not}`].join(' ').trim();

/** @param {Column} column */
const titleOf = ({ title, isTime }) => (isTime ? `${title} (${zoneName()})` : title);

/** @param {{ label: string, isChecked: boolean, toggle: () => void }} props */
const Check = ({ label, isChecked, toggle }) =>
  html`<label class="select"
    ><input type="checkbox" aria-label=${label} checked=${isChecked} onChange=${toggle}
  /></label>`;

/** Selects all rows that can be selected, or none. @param {{ rows: readonly Row[], selection: Selection }} props */
const CheckAll = ({ rows, selection: { selected, choose } }) => {
  const keys = rows.filter(({ select }) => select !== undefined).map(({ key }) => key);
  const isChecked = keys.length > 0 && keys.every((key) => selected.has(key));
  return html`<${Check}
    label=${`Select all ${keys.length}`}
    isChecked=${isChecked}
    toggle=${() => choose(new Set(isChecked ? [] : keys))}
  />`;
};

/** @param {{ row: Row, selection: Selection }} props */
const CheckRow = ({ row: { key, select }, selection: { selected, choose } }) => {
  if (select === undefined) return html`<span class="select"></span>`;
  return html`<${Check}
    label=${`Select ${select}`}
    isChecked=${selected.has(key)}
    toggle=${() => choose(selected.symmetricDifference(new Set([key])))}
  />`;
};

/** @param {{ column: Column, order: Order, children?: ComponentChildren }} props */
const Head = ({ column, order: { by, choose }, children }) => {
  const { sort } = column;
  if (sort === undefined) return html`<th scope="col" class=${classOf(column)}>${children}${titleOf(column)}</th>`;
  const [name, isDown] = orderOf(by);
  const isSorted = name === sort;
  return html`<th
    scope="col"
    class=${classOf(column)}
    aria-sort=${isSorted ? (isDown ? 'descending' : 'ascending') : undefined}
  >
    <span class="pair row">
      ${children}
      <button type="button" class="sort" onClick=${() => choose(isSorted && !isDown ? `-${sort}` : sort)}>
        ${titleOf(column)}<span aria-hidden="true">${isSorted ? (isDown ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </span>
  </th>`;
};

/** @param {{ row: Row, columns: readonly Column[], selection: Selection | undefined }} props */
const Line = ({ row, columns, selection }) => html`
  <tr>
    ${row.cells.map((cell, index) => {
      if (index > 0) return html`<td class=${classOf(columns[index])}>${cell}</td>`;
      if (selection === undefined) return html`<th scope="row">${cell}</th>`;
      return html`<th scope="row">
        <div class="pair row"><${CheckRow} row=${row} selection=${selection} /><div>${cell}</div></div>
      </th>`;
    })}
  </tr>
  ${
    row.details !== undefined &&
    html`<tr class="details">
      <td colspan=${columns.length}><div>${row.details}</div></td>
    </tr>`
  }
`;

/**
 * The table of every page. It scrolls sideways when it is too wide, also by keyboard.
 * @param {object} props
 * @param {string} props.caption
 * @param {readonly Column[]} props.columns
 * @param {readonly Row[]} props.rows
 * @param {string} [props.empty] the text in place of a table without rows
 * @param {boolean} [props.hasCaption] shown above the table
 * @param {Order} [props.order] of a list that the gateway sorts; absent: the rows are sorted here
 * @param {string} [props.first] the order of the rows as they are given, for those that are sorted here
 * @param {number} [props.collapsed] how many rows are shown at first
 * @param {Selection} [props.selection]
 * @param {Pages} [props.pages]
 * @param {File} [props.file]
 */
export const Table = (props) => {
  const { caption, columns, rows, hasCaption = false, order, first = '', collapsed, selection } = props;
  const [by, choose] = useState(first);
  const [isExpanded, setExpanded] = useState(false);
  const sorted = order === undefined ? sortRows(rows, by) : rows;
  const shown = isExpanded ? sorted : sorted.slice(0, collapsed);
  if (rows.length === 0 && props.empty !== undefined) return html`<p class="card empty">${props.empty}</p>`;
  const checkAll = selection && html`<${CheckAll} rows=${shown} selection=${selection} />`;
  return html`
    <div class="scroll card" tabindex="0" role="region" aria-label=${`Table: ${caption}`}>
      <table>
        <caption class=${hasCaption ? '' : 'visually-hidden'}>${caption}</caption>
        <thead>
          <tr>
            ${columns.map(
              (column, index) => html`<${Head} key=${column.title} column=${column} order=${order ?? { by, choose }}>
                ${index === 0 ? checkAll : null}
              <//>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${shown.map((row) => html`<${Line} key=${row.key} row=${row} columns=${columns} selection=${selection} />`)}
        </tbody>
      </table>
    </div>
    <${Foot}
      count=${rows.length}
      shown=${shown.length}
      isExpanded=${isExpanded}
      toggle=${() => setExpanded(!isExpanded)}
      pages=${props.pages}
      file=${props.file}
    />
  `;
};
