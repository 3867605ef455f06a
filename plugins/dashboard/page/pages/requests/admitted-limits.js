/** @import { AdmittedLimit } from '../../data/inspector/life.js' */
import { html } from '../../components/html.js';
import { Table } from '../../components/table/table.js';
import { NO_VALUE, formatWait } from '../../data/format.js';
import { describeLimit, formatAmount } from '../../data/limits.js';

/** @typedef {'small' | 'medium'} Width */
const columns = [
  { title: 'Limit' },
  { title: 'Amount', isNumber: true, not: /** @type {Width} */ ('small') },
  { title: 'Reserved', isNumber: true },
  { title: 'Left', isNumber: true },
  { title: 'Resets in', isNumber: true, not: /** @type {Width} */ ('small') },
];

/** @param {AdmittedLimit} limit @param {number} index */
const describe = (limit, index) => {
  const { scope, name, unit, amount, reserves, remaining, spent, resetMs, shadowed } = limit;
  /** @param {number | undefined} value */
  const write = (value) => (value === undefined ? NO_VALUE : formatAmount(unit, value));
  return {
    key: String(index),
    cells: [
      html`<span class="wrap">${scope} ${name}<span class="muted below">${describeLimit(limit)}</span></span>
        ${shadowed && html`<span class="badge warn">would have refused</span>`}`,
      write(amount),
      write(reserves),
      html`${write(remaining)}
        ${spent !== undefined && html`<span class="muted below">${write(spent)} spent</span>`}`,
      resetMs === undefined ? NO_VALUE : formatWait(resetMs),
    ],
  };
};

/** The limits of a request with their figures at its admission. @param {{ limits: readonly AdmittedLimit[] }} props */
export const AdmittedLimits = ({ limits }) => html`<${Table}
  caption="Limits at the admission"
  columns=${columns}
  rows=${limits.map(describe)}
/>`;
