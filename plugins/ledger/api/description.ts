import type { CallDescription } from '../../../core/index.ts';
import { dimensionNames } from '../tables.ts';

const lines = { type: 'array', items: { type: 'object' } };
const chosen = Object.fromEntries(
  dimensionNames.map((name) => [name, `Only what has one of these values of ${name}, separated by commas.`]),
);

/** GET /admin/usage as the description of the admin API has it. */
export const usageCall: CallDescription = {
  summary: 'What was used, by whom, of what, and what it cost.',
  query: {
    from: 'A day or a time in ISO 8601; left out: a day before the end.',
    to: 'Left out: now.',
    bucket: 'hour, day or month: a line for each.',
    by: `A line for each combination of these, separated by commas: ${dimensionNames.join(', ')}.`,
    format: 'json, or csv.',
    ...chosen,
  },
  answer: {
    type: 'object',
    properties: {
      from: { type: 'string' },
      to: { type: 'string' },
      currency: { type: 'string' },
      totals: { type: 'object' },
      lines,
    },
  },
};
