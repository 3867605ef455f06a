/** @import { Figures } from '../../data/usage-report.js' */
import { formatCount, formatDollars } from '../../data/format.js';

/**
 * A quantity that the usage chart can show.
 * @typedef {object} Measure
 * @property {string} title
 * @property {(figures: Figures) => number} read
 * @property {(value: number) => string} format
 * @property {string} [unit]
 */

/** @type {Readonly<Record<string, Measure>>} */
export const measures = {
  cost: { title: 'Cost', read: ({ cost }) => Number(cost), format: formatDollars, unit: '$' },
  exchanges: { title: 'Requests', read: ({ exchanges }) => exchanges, format: formatCount },
  tokens: { title: 'Tokens', read: ({ tokens }) => tokens.input + tokens.output, format: formatCount },
};
