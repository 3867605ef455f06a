import { isObject, omitUndefined } from '../../../../core/api/codec.ts';
import type { BillItem } from '../bill.ts';
import { findField, flatten, type ExportFile, type Fields } from '../export-file.ts';
import { readCents, readDollars } from '../money.ts';
import { readDay } from '../read-day.ts';
import { readWhole, sumFields, type BillFormat } from './format.ts';

/** Field names of tables that were written by hand or by other tools. The first one that a line has is used. */
const fieldNames = {
  day: ['date', 'day', 'usage_date_utc', 'usage_date', 'start_time_iso', 'starting_at', 'start_time', 'start'],
  model: ['model', 'model_version', 'model_name', 'line_item'],
  requests: ['requests', 'num_model_requests', 'request_count', 'exchanges'],
  input: [
    'uncached_input_tokens',
    'input_uncached_tokens',
    'usage_input_tokens_no_cache',
    'input_tokens',
    'input',
    'tokens.input',
    'n_context_tokens_total',
  ],
  cacheRead: [
    'input_cached_tokens',
    'cache_read_input_tokens',
    'usage_input_tokens_cache_read',
    'cached_tokens',
    'tokens.cacheread',
    'n_cached_context_tokens_total',
  ],
  output: ['output_tokens', 'usage_output_tokens', 'output', 'tokens.output', 'n_generated_tokens_total'],
  webSearches: ['web_searches', 'web_search_count', 'units.websearches'],
  images: ['images', 'units.images'],
  seconds: ['seconds', 'units.seconds'],
  dollars: ['cost_usd', 'cost', 'amount.value', 'amount_value', 'amount_usd'],
  /** Anthropic's cost report is in cents. */
  cents: ['amount'],
} as const;
/** Input fields that include the cached tokens. */
const withCached: ReadonlySet<string> = new Set(['input_tokens', 'tokens.input', 'input', 'n_context_tokens_total']);
/** Summed up: a line may have several. */
const cacheWriteNames = [
  'cache_creation.ephemeral_5m_input_tokens',
  'cache_creation.ephemeral_1h_input_tokens',
  'usage_input_tokens_cache_write_5m',
  'usage_input_tokens_cache_write_1h',
  'cache_creation_input_tokens',
  'tokens.cachewrite5m',
  'tokens.cachewrite1h',
  'tokens.cachewrite12h',
];

/** The items of lists are lines; they inherit the other members of the object that has the list. */
const readJsonLines = (value: unknown, inherited: Fields): readonly Fields[] => {
  if (Array.isArray(value)) return value.flatMap((item) => readJsonLines(item, inherited));
  if (!isObject(value)) return [];
  const fields = new Map([...inherited, ...flatten('', value)]);
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  return lists.length === 0 ? [fields] : lists.flatMap((list) => readJsonLines(list, fields));
};
const listLines = (file: ExportFile): readonly Fields[] =>
  file.kind === 'csv' ? file.lines : readJsonLines(file.objects, new Map());

const readFigures = (fields: Fields): BillItem['figures'] => {
  const cacheWrite = sumFields(fields, ...cacheWriteNames);
  const cacheRead = readWhole(fields, ...fieldNames.cacheRead);
  const input = readWhole(fields, ...fieldNames.input);
  const name = fieldNames.input.find((candidate) => (fields.get(candidate) ?? '') !== '') ?? '';
  const cached = withCached.has(name) ? (cacheRead ?? 0n) + (cacheWrite ?? 0n) : 0n;
  return omitUndefined({
    requests: readWhole(fields, ...fieldNames.requests),
    input: input === undefined ? undefined : input - cached,
    cacheRead,
    cacheWrite,
    output: readWhole(fields, ...fieldNames.output),
    webSearches: readWhole(fields, ...fieldNames.webSearches),
    images: readWhole(fields, ...fieldNames.images),
    seconds: readWhole(fields, ...fieldNames.seconds),
  });
};

/** The name before the comma of a cost line, `gpt-4.1, input`; of our own export, the part of the target after `/`. */
const readModel = (fields: Fields): string => {
  const target = findField(fields, 'target');
  return target === undefined
    ? (findField(fields, ...fieldNames.model)?.split(',')[0] ?? '').trim()
    : target.slice(target.indexOf('/') + 1);
};

/** Lines without a day, a model or a figure are skipped: a table can have totals. */
const readItem = (fields: Fields): readonly BillItem[] => {
  const day = readDay(findField(fields, ...fieldNames.day) ?? '');
  const model = readModel(fields);
  const figures = readFigures(fields);
  const money =
    readDollars(findField(fields, ...fieldNames.dollars) ?? '') ??
    readCents(findField(fields, ...fieldNames.cents) ?? '');
  if (day === undefined || model === '' || (Object.keys(figures).length === 0 && money === undefined)) return [];
  return [omitUndefined({ day, model, figures, money })];
};

/** Any table with a day, a model and a figure, and our own `GET /admin/usage?format=csv&bucket=day&by=target`. */
export const plainBill: BillFormat = {
  name: 'plain',
  expects:
    `CSV or JSON of lines with a day (${fieldNames.day.slice(0, 3).join(', ')} …), a model and at least one figure ` +
    '(cost, requests, input_tokens, output_tokens …)',
  matches: (file) => listLines(file).some((fields) => readItem(fields).length > 0),
  read: (file) => {
    const items = listLines(file).flatMap(readItem);
    return { days: items.map(({ day }) => day), items };
  },
};
