import { invalidRequest } from '../../../core/api/index.ts';
import { isObject, omitUndefined } from '../../../core/api/codec.ts';
import type { BillFigures, BillLine } from './bill-line.ts';

/**
 * One line of an export: values by field name in lower case, nested names joined by dots. A line inherits the fields of
 * the objects around it.
 */
type Fields = ReadonlyMap<string, string>;

/**
 * Field names in the usage and cost reports of vendors and the CSV files of their consoles. The first one that a line
 * has is used.
 * https://platform.openai.com/docs/api-reference/usage
 * https://platform.claude.com/docs/en/manage-claude/usage-cost-api
 */
const fieldNames = {
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
];

const flatten = (prefix: string, value: object): readonly (readonly [string, string])[] =>
  Object.entries(value).flatMap(([name, member]: [string, unknown]): readonly (readonly [string, string])[] => {
    const path = `${prefix}${name.toLowerCase()}`;
    if (isObject(member)) return flatten(`${path}.`, member);
    return Array.isArray(member) || member === null ? [] : [[path, String(member)]];
  });

/** The items of lists are lines; they inherit the other members of the object that has the list. */
const readJsonLines = (value: unknown, inherited: Fields): readonly Fields[] => {
  if (Array.isArray(value)) return value.flatMap((item) => readJsonLines(item, inherited));
  if (!isObject(value)) return [];
  const fields = new Map([...inherited, ...flatten('', value)]);
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  return lists.length === 0 ? [fields] : lists.flatMap((list) => readJsonLines(list, fields));
};

/** Reads CSV (RFC 4180, with any line ending) as rows of cells. Empty rows are left out. */
export function readCsvRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end = ''] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r|$)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.some((cell) => cell !== '')) rows.push(row);
    row = [];
  }
  return rows;
}

const readCsvLines = (text: string): readonly Fields[] => {
  const [head = [], ...rows] = readCsvRows(text);
  return rows.map(
    (row) => new Map(head.map((name, index) => [name.trim().toLowerCase().replaceAll(' ', '_'), row[index] ?? ''])),
  );
};

const find = (fields: Fields, names: readonly string[]): readonly [name: string, value: string] | undefined => {
  const name = names.find((candidate) => (fields.get(candidate) ?? '') !== '');
  return name === undefined ? undefined : [name, fields.get(name) ?? ''];
};

/** @param text a date, a time, or unix seconds */
const readDay = (text: string): string | undefined => {
  const at = /^\d{9,10}$/.test(text)
    ? Number(text) * 1_000
    : Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
};

/** Reads a decimal number exactly, multiplied by ten to the power of `digits`. Further digits are cut off. */
const readDecimal = (text: string, digits: number): bigint | undefined => {
  const [, sign = '', whole = '', fraction = ''] =
    /^\$?(-?)(\d+)(?:\.(\d*))?$/.exec(text.trim().replaceAll(',', '')) ?? [];
  if (whole === '') return undefined;
  return BigInt(`${sign}${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
};

/** Digits from dollars and from cents to nano-dollars. */
const DOLLAR_DIGITS = 9;
const CENT_DIGITS = 7;

const readFigures = (fields: Fields): BillFigures => {
  const readAs = (names: readonly string[], digits: number): bigint | undefined =>
    readDecimal(find(fields, names)?.[1] ?? '', digits);
  const cacheWrites = cacheWriteNames.flatMap((name) => readDecimal(fields.get(name) ?? '', 0) ?? []);
  const cacheWrite = cacheWrites.length === 0 ? undefined : cacheWrites.reduce((sum, part) => sum + part, 0n);
  const cacheRead = readAs(fieldNames.cacheRead, 0);
  const allInput = readAs(fieldNames.input, 0);
  const includesCached = withCached.has(find(fields, fieldNames.input)?.[0] ?? '');
  return omitUndefined({
    requests: readAs(fieldNames.requests, 0),
    input: allInput === undefined || !includesCached ? allInput : allInput - (cacheRead ?? 0n) - (cacheWrite ?? 0n),
    cacheRead,
    cacheWrite,
    output: readAs(fieldNames.output, 0),
    cost: readAs(fieldNames.dollars, DOLLAR_DIGITS) ?? readAs(fieldNames.cents, CENT_DIGITS),
  });
};

/** The name before the comma of a cost line, `gpt-4.1, input`; of our own export, the part of the target after `/`. */
const readModel = (fields: Fields): string => {
  const [name, text] = find(fields, fieldNames.model) ?? ['', ''];
  return name === 'target' ? text.slice(text.indexOf('/') + 1) : (text.split(',')[0] ?? '').trim();
};

/** @throws GatewayError 400 when the text has no line of a bill */
export function readBill(text: string): readonly BillLine[] {
  const isJson = /^\s*[[{]/.test(text);
  let exported: readonly Fields[];
  try {
    exported = isJson ? readJsonLines(JSON.parse(text), new Map()) : readCsvLines(text);
  } catch {
    throw invalidRequest('bill', 'The bill starts like JSON but is not valid JSON.');
  }
  const lines = exported.flatMap((fields): readonly BillLine[] => {
    const day = readDay(find(fields, fieldNames.day)?.[1] ?? '');
    const model = readModel(fields);
    const figures = readFigures(fields);
    return day === undefined || model === '' || Object.keys(figures).length === 0 ? [] : [{ day, model, figures }];
  });
  if (lines.length > 0) return lines;
  throw invalidRequest(
    'bill',
    `The bill has no line with a day (${fieldNames.day.slice(0, 3).join(', ')} …), a model and a figure. ` +
      'It must be CSV with a header line, or the JSON of a usage or cost report.',
  );
}
