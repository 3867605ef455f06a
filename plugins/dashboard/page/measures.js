/** @import { Figures } from './usage-report.js' */
import { writeCount, writeDollars } from './format.js';

/**
 * What a chart of usage can show.
 * @typedef {object} Measure
 * @property {string} title
 * @property {(figures: Figures) => number} read
 * @property {(value: number) => string} write
 * @property {string} [unit]
 */

/** @type {Readonly<Record<string, Measure>>} */
export const measures = {
  cost: { title: 'Cost', read: ({ cost }) => Number(cost), write: writeDollars, unit: '$' },
  exchanges: { title: 'Requests', read: ({ exchanges }) => exchanges, write: writeCount },
  tokens: { title: 'Tokens', read: ({ tokens }) => tokens.input + tokens.output, write: writeCount },
};
