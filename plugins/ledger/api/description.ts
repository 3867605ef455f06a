import type { CallDescription } from '../../../core/api/index.ts';
import { dimensionNames } from '../tables.ts';

const lines = { type: 'array', items: { type: 'object' } };
const filters = Object.fromEntries(
  dimensionNames.map((name) => [name, `Restricts the report to these values of ${name}, separated by commas.`]),
);

/** GET /admin/usage in the OpenAPI document of the admin API. */
export const usageCall: CallDescription = {
  summary: 'Usage and cost by key, model, provider and time.',
  query: {
    from: 'Start, a day or a time in ISO 8601. Default: a day before the end.',
    to: 'End, exclusive. Default: now.',
    bucket: 'minute (up to 6 hours), hour, day or month: one line for each.',
    by:
      `One line for each combination of these, separated by commas: ${dimensionNames.join(', ')}, user, tag:<name>. ` +
      'A project is shown as acme/web, a key as acme/web/alice.',
    compare: 'previous: also the figures of the time before, of the same length.',
    percentiles: 'true: with percentiles of latencies; they take longer to read. Default: they are null.',
    top: 'Only so many lines of by, those with the largest figure: 1 to 100. `other` has the rest as one.',
    sort: 'The figure of top: cost (default), exchanges or tokens.',
    limit: 'Lines of a page, 1 to 5000. Default: 1000, of csv 5000.',
    cursor: 'The `next` of the page before.',
    format: 'json (default) or csv.',
    ...filters,
    project: 'Restricts the report to these projects, separated by commas: acme/web, or web for all of this name.',
    key: 'Restricts the report to these keys, separated by commas: acme/web/alice, or alice for all of this name.',
    'user': 'Restricts the report to these end users, separated by commas.',
    'tag:<name>': 'Restricts the report to these values of a tag, separated by commas.',
  },
  answer: {
    type: 'object',
    properties: {
      from: { type: 'string' },
      to: { type: 'string' },
      currency: { type: 'string' },
      totals: { type: 'object' },
      lines,
      next: { type: ['string', 'null'], description: 'cursor of the next page; null: these are the last lines.' },
      other: { ...lines, description: 'With top: all other groups as one line, or as one for each bucket.' },
      groups: { type: 'integer', description: 'With top: the number of groups.' },
      previous: { type: 'object', description: 'from, to, totals and lines of the time before.' },
    },
  },
};
