import { omitUndefined } from '../../../../core/api/codec.ts';
import type { BillItem } from '../bill.ts';
import { findField, readReport, type ExportFile, type Fields } from '../export-file.ts';
import { readCents, readDollars } from '../money.ts';
import { readDays, readWhole, requireDay, requireDollars, requireField, sumFields, type BillFormat } from './format.ts';

const dayNames = ['starting_at', 'usage_date_utc'];

/** Whether the results of a report, or the columns of a CSV file, have one of these fields. */
const hasResults = (file: ExportFile, json: string, column: string): boolean => {
  if (file.kind === 'csv') return file.columns.has('usage_date_utc') && file.columns.has(column);
  const { buckets, results } = readReport(file);
  return buckets.some((bucket) => bucket.has('starting_at')) && results.some((result) => result.has(json));
};

const UNGROUPED = 'costs without a description (export them grouped by description)';

/** The report is in cents, as a decimal; the Console's file in dollars. */
const readMoney = (fields: Fields): bigint =>
  fields.has('cost_usd')
    ? requireField(fields, ['cost_usd'], readDollars)
    : requireField(fields, ['amount'], readCents);

const readCost = (fields: Fields): BillItem => {
  requireDollars(fields, 'currency');
  const parts = ['cost_type', 'usage_type', 'token_type'].flatMap((name) => findField(fields, name) ?? []);
  return omitUndefined({
    day: requireDay(fields, ...dayNames),
    model: findField(fields, 'model'),
    text: findField(fields, 'description') ?? (parts.length === 0 ? UNGROUPED : parts.join(', ')),
    figures: {},
    money: readMoney(fields),
  });
};

/**
 * `GET /v1/organizations/cost_report`, grouped by `description`, and the CSV export of the Console's cost page.
 * https://platform.claude.com/docs/en/api/admin/cost_report
 */
export const anthropicCosts: BillFormat = {
  name: 'anthropic-costs',
  expects: 'JSON of GET /v1/organizations/cost_report, or CSV with the columns usage_date_utc and cost_usd',
  matches: (file) => hasResults(file, 'amount', 'cost_usd'),
  read: (file) => ({ ...readDays(file, dayNames, (results) => results.map(readCost)), always: ['cost'] }),
};

const readUsage = (fields: Fields): BillItem =>
  omitUndefined({
    day: requireDay(fields, ...dayNames),
    model: findField(fields, 'model', 'model_version'),
    text: 'usage without a model (export it grouped by model)',
    figures: omitUndefined({
      input: readWhole(fields, 'uncached_input_tokens', 'usage_input_tokens_no_cache'),
      cacheRead: readWhole(fields, 'cache_read_input_tokens', 'usage_input_tokens_cache_read'),
      cacheWrite: sumFields(
        fields,
        'cache_creation.ephemeral_5m_input_tokens',
        'cache_creation.ephemeral_1h_input_tokens',
        'usage_input_tokens_cache_write_5m',
        'usage_input_tokens_cache_write_1h',
      ),
      output: readWhole(fields, 'output_tokens', 'usage_output_tokens'),
      webSearches: readWhole(fields, 'server_tool_use.web_search_requests', 'web_search_count'),
    }),
  });

/**
 * `GET /v1/organizations/usage_report/messages`, grouped by `model`, and the CSV export of the Console's usage page.
 * https://platform.claude.com/docs/en/api/admin/usage_report
 */
export const anthropicUsage: BillFormat = {
  name: 'anthropic-usage',
  expects:
    'JSON of GET /v1/organizations/usage_report/messages, or CSV with the columns usage_date_utc and ' +
    'usage_output_tokens',
  matches: (file) => hasResults(file, 'uncached_input_tokens', 'usage_output_tokens'),
  read: (file) => readDays(file, dayNames, (results) => results.map(readUsage)),
};
