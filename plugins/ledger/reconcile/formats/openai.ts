import { omitUndefined } from '../../../../core/api/codec.ts';
import type { BillItem } from '../bill.ts';
import { findField, readReport, type ExportFile, type Fields } from '../export-file.ts';
import { readDollars } from '../money.ts';
import { readDays, readWhole, requireDay, requireDollars, requireField, type BillFormat } from './format.ts';

const dayNames = ['start_time', 'start_time_iso'];
const amountNames = ['amount.value', 'amount_value'];

/** Whether a file has results of this kind: `organization.costs.result`, or a column that only they have. */
const hasResults = (file: ExportFile, kind: string, column: string): boolean =>
  file.kind === 'csv'
    ? file.columns.has(column) && dayNames.some((name) => file.columns.has(name))
    : readReport(file).results.some((result) => result.get('object')?.startsWith(`organization.${kind}`) === true);

/** A model has a digit or a hyphen in its name, and no space: `o3`, `whisper-1`; but not `web search`, `input`. */
const MODEL = /^[a-z][\w.:@/-]*[\d-][\w.:@/-]*$|^o\d$/i;

/** `gpt-5.2-2025-12-11, input`, `web search tool calls | gpt-4o`: the model is one of the parts. */
const readLineItem = (text: string): Pick<BillItem, 'model' | 'text'> => {
  const model = text
    .split(/[,|]/)
    .map((part) => part.trim())
    .find((part) => MODEL.test(part));
  return omitUndefined({ model: model?.toLowerCase(), text });
};

const UNGROUPED = 'costs without a line item (export them grouped by line_item)';

const readCost = (fields: Fields): BillItem => {
  requireDollars(fields, 'amount.currency', 'amount_currency');
  return {
    day: requireDay(fields, ...dayNames),
    ...readLineItem(findField(fields, 'line_item') ?? UNGROUPED),
    figures: {},
    money: requireField(fields, amountNames, readDollars),
  };
};

/** In a CSV export, a day without costs is a line without an amount. */
const hasAmount = (fields: Fields): boolean => findField(fields, ...amountNames, 'line_item') !== undefined;

/**
 * `GET /v1/organization/costs`, grouped by `line_item`, and the export of costs of the usage dashboard.
 * https://platform.openai.com/docs/api-reference/usage/costs
 * https://help.openai.com/en/articles/8554956-understanding-your-api-usage
 */
export const openaiCosts: BillFormat = {
  name: 'openai-costs',
  expects: 'JSON of GET /v1/organization/costs, or CSV with the columns start_time and amount_value',
  matches: (file) => hasResults(file, 'costs', 'amount_value'),
  read: (file) => ({
    ...readDays(file, dayNames, (results) => results.filter(hasAmount).map(readCost)),
    always: ['cost'],
  }),
};

/** All input includes cache reads and cache writes. */
const readInput = (fields: Fields): bigint | undefined => {
  const uncached = readWhole(fields, 'input_uncached_tokens');
  const all = readWhole(fields, 'input_tokens');
  if (uncached !== undefined || all === undefined) return uncached;
  return all - (readWhole(fields, 'input_cached_tokens') ?? 0n) - (readWhole(fields, 'input_cache_write_tokens') ?? 0n);
};

/** `organization.usage.web_searches.result` as `web searches`. */
const describeKind = (kind: string): string => kind.split('.').at(-2)?.replaceAll('_', ' ') ?? kind;

const readUsage = (fields: Fields): BillItem => {
  const kind = findField(fields, 'object') ?? '';
  const isSearch = kind.includes('web_search');
  return omitUndefined({
    day: requireDay(fields, ...dayNames),
    model: findField(fields, 'model'),
    text: kind === '' ? 'usage without a model (export it grouped by model)' : describeKind(kind),
    figures: omitUndefined({
      // The requests of searches are those of the models, which are counted there.
      requests: isSearch ? undefined : readWhole(fields, 'num_model_requests'),
      input: readInput(fields),
      cacheRead: readWhole(fields, 'input_cached_tokens'),
      cacheWrite: readWhole(fields, 'input_cache_write_tokens'),
      output: readWhole(fields, 'output_tokens'),
      webSearches: isSearch ? readWhole(fields, 'num_requests') : undefined,
      images: readWhole(fields, 'images'),
      seconds: readWhole(fields, 'seconds'),
    }),
  });
};

const hasUsage = ({ figures }: BillItem): boolean => Object.keys(figures).length > 0;

/**
 * `GET /v1/organization/usage/...`, grouped by `model`, and the export of activity of the usage dashboard.
 * https://platform.openai.com/docs/api-reference/usage/completions
 */
export const openaiUsage: BillFormat = {
  name: 'openai-usage',
  expects:
    'JSON of GET /v1/organization/usage/completions (embeddings, images …), or CSV with the columns start_time and ' +
    'num_model_requests',
  matches: (file) => hasResults(file, 'usage', 'num_model_requests'),
  read: (file) => readDays(file, dayNames, (results) => results.map(readUsage).filter(hasUsage)),
};
