import { invalidRequest, isObject } from '../../../core/index.ts';
import type { BillFigures, BillLine } from './bill-line.ts';
import { readCsvRows } from './csv-rows.ts';

/** One line of an export: names of fields, nested ones joined by dots, in lower case. What stands above a line is its own, too. */
type Fields = ReadonlyMap<string, string>;

/**
 * How exports name what we compare, the first that a line has: the usage and cost reports of vendors, and what their consoles save as CSV.
 * https://platform.openai.com/docs/api-reference/usage · https://platform.claude.com/docs/en/manage-claude/usage-cost-api
 */
const names = {
  day: ['date', 'day', 'usage_date_utc', 'usage_date', 'start_time_iso', 'starting_at', 'start_time', 'start'],
  model: ['target', 'model', 'model_version', 'model_name', 'line_item'],
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
  dollars: ['cost_usd', 'cost', 'amount.value', 'amount_value', 'amount_usd'],
  /** The cost report of Anthropic counts in cents. */
  cents: ['amount'],
} as const;
/** These fields count the cached input with the rest. */
const inclusive: ReadonlySet<string> = new Set(['input_tokens', 'tokens.input', 'input', 'n_context_tokens_total']);
const writes = [
  'cache_creation.ephemeral_5m_input_tokens',
  'cache_creation.ephemeral_1h_input_tokens',
  'usage_input_tokens_cache_write_5m',
  'usage_input_tokens_cache_write_1h',
  'cache_creation_input_tokens',
  'tokens.cachewrite5m',
  'tokens.cachewrite1h',
];

const flatten = (prefix: string, value: object): readonly (readonly [string, string])[] =>
  Object.entries(value).flatMap(([name, member]: [string, unknown]): readonly (readonly [string, string])[] => {
    const path = `${prefix}${name.toLowerCase()}`;
    if (isObject(member)) return flatten(`${path}.`, member);
    return Array.isArray(member) || member === null ? [] : [[path, String(member)]];
  });

/** Lists within an object are its lines, to each of which what stands beside the list belongs. */
const listJson = (value: unknown, above: Fields): readonly Fields[] => {
  if (Array.isArray(value)) return value.flatMap((item) => listJson(item, above));
  if (!isObject(value)) return [];
  const fields = new Map([...above, ...flatten('', value)]);
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  return lists.length === 0 ? [fields] : lists.flatMap((list) => listJson(list, fields));
};

const listCsv = (text: string): readonly Fields[] => {
  const [head = [], ...rows] = readCsvRows(text);
  return rows.map(
    (row) => new Map(head.map((name, index) => [name.trim().toLowerCase().replaceAll(' ', '_'), row[index] ?? ''])),
  );
};

const find = (fields: Fields, among: readonly string[]): readonly [name: string, value: string] | undefined => {
  const name = among.find((candidate) => (fields.get(candidate) ?? '') !== '');
  return name === undefined ? undefined : [name, fields.get(name) ?? ''];
};

const SECOND = 1_000;
const readDay = (written: string): string | undefined => {
  const at = /^\d{9,10}$/.test(written)
    ? Number(written) * SECOND
    : Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(written) ? `${written}T00:00:00Z` : written);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
};

/** A decimal number times ten to the power of `digits`, exactly; what is finer is cut off. */
const readDecimal = (written: string, digits: number): bigint | undefined => {
  const [, sign = '', whole = '', fraction = ''] =
    /^\$?(-?)(\d+)(?:\.(\d*))?$/.exec(written.trim().replaceAll(',', '')) ?? [];
  if (whole === '') return undefined;
  return BigInt(`${sign}${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
};

const DOLLARS = 9;
const CENTS = 7;

const readFigures = (fields: Fields): BillFigures => {
  const count = (among: readonly string[]): bigint | undefined => readDecimal(find(fields, among)?.[1] ?? '', 0);
  const written = writes.flatMap((name) => readDecimal(fields.get(name) ?? '', 0) ?? []);
  const cacheWrite = written.length === 0 ? undefined : written.reduce((sum, part) => sum + part, 0n);
  const cacheRead = count(names.cacheRead);
  const said = find(fields, names.input);
  const all = count(names.input);
  const input =
    all === undefined || !inclusive.has(said?.[0] ?? '') ? all : all - (cacheRead ?? 0n) - (cacheWrite ?? 0n);
  const cents = find(fields, names.cents)?.[1];
  const cost =
    readDecimal(find(fields, names.dollars)?.[1] ?? '', DOLLARS) ??
    (cents === undefined ? undefined : readDecimal(cents, CENTS));
  const figures = { requests: count(names.requests), input, cacheRead, cacheWrite, output: count(names.output), cost };
  return Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== undefined));
};

/** `gpt-4.1, input` of a list of costs is the model's, and so is a target of our own export behind its provider. */
const readModel = (fields: Fields): string => {
  const [name, written] = find(fields, names.model) ?? ['', ''];
  return name === 'target' ? written.slice(written.indexOf('/') + 1) : (written.split(',')[0] ?? '').trim();
};

/** @throws GatewayError 400 where nothing in it is a line of a bill */
export function readBill(text: string): readonly BillLine[] {
  const isJson = /^\s*[[{]/.test(text);
  let fields: readonly Fields[];
  try {
    fields = isJson ? listJson(JSON.parse(text), new Map()) : listCsv(text);
  } catch {
    throw invalidRequest('bill', 'The bill looks like JSON and is none.');
  }
  const lines = fields.flatMap((line): readonly BillLine[] => {
    const day = readDay(find(line, names.day)?.[1] ?? '');
    const model = readModel(line);
    const figures = readFigures(line);
    return day === undefined || model === '' || Object.keys(figures).length === 0 ? [] : [{ day, model, figures }];
  });
  if (lines.length > 0) return lines;
  throw invalidRequest(
    'bill',
    `The bill has no line with a day (${names.day.slice(0, 3).join(', ')} …), a model and a figure. It may be CSV with a line of names, or the JSON of a usage or cost report.`,
  );
}
