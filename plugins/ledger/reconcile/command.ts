import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { invalidRequest, type PluginCommand } from '../../../core/api/index.ts';
import { openDatabase } from '../../../core/api/database.ts';
import { startOf } from '../periods.ts';
import { readUsage } from '../read/usage.ts';
import { ledgerTables } from '../migrations.ts';
import type { LedgerSchema } from '../tables.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import type { BillLine } from './bill.ts';
import { compareBill } from './compare.ts';
import { describeReconciliation, encodeReconciliation } from './describe.ts';
import { explainDifferences } from './explain.ts';
import { formatNames, readBill } from './read-bill.ts';

const DAY = 86_400_000;
/** Timeout of a query: reading years of days takes long, and no request waits for it. */
const TIMEOUT_MS = 60_000;

const usageError = (message: string): never => {
  throw invalidRequest('', message);
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const options = {
  bill: { type: 'string', required: true, value: 'FILE', description: "the vendor's export" },
  provider: { type: 'string', value: 'NAME', description: 'a provider; only needed if there are several' },
  'bill-format': { type: 'string', choices: formatNames, description: 'its format; default: detected' },
  tolerance: { type: 'string', default: '0.01', value: 'RATIO', description: 'a relative difference that is ignored' },
  all: { type: 'boolean', default: false, description: 'every figure, not only those that differ' },
  format: { type: 'string', default: 'text', choices: ['text', 'json'], description: 'the form of the output' },
} as const satisfies PluginCommand['options'];

const parse = (args: readonly string[]) => {
  const read = () => {
    try {
      return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
    } catch (error) {
      return usageError(messageOf(error));
    }
  };
  const { bill = usageError('--bill is required: the file of the bill.'), tolerance, format, ...given } = read();
  const billFormat = given['bill-format'];
  if (billFormat !== undefined && !formatNames.includes(billFormat))
    usageError(`--bill-format must be one of ${formatNames.join(', ')}, not "${billFormat}".`);
  if (format !== 'text' && format !== 'json') usageError(`--format must be text or json, not "${format}".`);
  if (!/^(0(\.\d+)?|1)$/.test(tolerance))
    usageError(`--tolerance must be a number from 0 to 1, such as 0.01, not "${tolerance}".`);
  const { provider, all } = given;
  return { bill, billFormat, provider, tolerance: Number(tolerance), all, json: format === 'json' };
};

const selectProvider = (wanted: string | undefined, providers: readonly string[]): string => {
  if (wanted !== undefined)
    return providers.includes(wanted)
      ? wanted
      : usageError(`There is no provider "${wanted}"; the providers are ${providers.join(', ')}.`);
  const [only, ...others] = providers;
  return only !== undefined && others.length === 0
    ? only
    : usageError(`--provider is required, one of: ${providers.join(', ')}.`);
};

/** Reads the days from the sums, in UTC as vendors count them. */
const readLedger = async (
  database: LedgerDatabase,
  provider: string,
  days: readonly string[],
): Promise<readonly BillLine[]> => {
  const times = days.map((day) => Date.parse(`${day}T00:00:00Z`));
  const lines = await readUsage(database, {
    from: startOf(
      'day',
      times.reduce((one, other) => Math.min(one, other)),
    ),
    to: times.reduce((one, other) => Math.max(one, other)) + DAY,
    step: 'day',
    by: ['target'],
    where: { provider: [provider] },
  });
  const wanted = new Set(days);
  return lines
    .map(({ start = 0, dimensions: { target = '' }, counters }): BillLine => ({
      day: new Date(start).toISOString().slice(0, 10),
      model: target.slice(target.indexOf('/') + 1),
      figures: {
        requests: counters.exchanges,
        input: counters.input_tokens,
        cacheRead: counters.cache_read_tokens,
        cacheWrite: counters.cache_write_5m_tokens + counters.cache_write_1h_tokens + counters.cache_write_12h_tokens,
        output: counters.output_tokens,
        webSearches: counters.web_searches,
        images: counters.images,
        seconds: (counters.media_ms + 500n) / 1_000n,
        cost: counters.cost,
      },
    }))
    .filter(({ day }) => wanted.has(day));
};

/**
 * `koine reconcile` (docs/govern/reconcile.md). Exits with 1 if a figure is outside of the tolerance, or if the vendor
 * charged something without a model.
 */
export const reconcile: PluginCommand = {
  summary: "compares a vendor's cost or usage export with the ledger, by day and model, and explains differences",
  usage: '--bill FILE',
  options,
  topLevel: true,
  run: async (args, { databaseUrl, providers, print }) => {
    const { bill: file, billFormat, provider: wanted, tolerance, all, json } = parse(args);
    const text = await readFile(file, 'utf8').catch((error: unknown) =>
      usageError(`${file} cannot be read: ${messageOf(error)}.`),
    );
    const bill = readBill(text, billFormat);
    const provider = selectProvider(wanted, providers);
    const database = await openDatabase<LedgerSchema>(databaseUrl, ledgerTables(TIMEOUT_MS));
    try {
      const comparison = compareBill(bill, await readLedger(database, provider, bill.days), tolerance);
      const explanations = await explainDifferences(database, provider, comparison);
      const found = { format: bill.format, provider, comparison, explanations, hasMore: bill.hasMore === true };
      if (json) print(JSON.stringify(encodeReconciliation(found), undefined, 2));
      else for (const line of describeReconciliation(found, all)) print(line);
      const isEqual = comparison.differences.length === 0 && comparison.others.every(({ isOutside }) => isOutside);
      return isEqual ? 0 : 1;
    } finally {
      await database.destroy();
    }
  },
};
