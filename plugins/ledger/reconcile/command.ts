import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { invalidRequest, type PluginCommand } from '../../../core/api/index.ts';
import { openDatabase } from '../../../core/api/database.ts';
import { startOf } from '../periods.ts';
import { readUsage } from '../read/usage.ts';
import { ledgerTables, type LedgerSchema } from '../tables.ts';
import type { BillLine } from './bill-line.ts';
import { compareBill } from './compare.ts';
import { describeComparison, encodeComparison } from './describe.ts';
import { readBill } from './read-bill.ts';

const DAY = 86_400_000;
/** Timeout of the query: reading years of days takes long, and no request waits for it. */
const TIMEOUT_MS = 60_000;

interface ReconcileOptions {
  readonly bill: string;
  readonly provider: string | undefined;
  readonly tolerance: number;
  readonly format: string;
}

const usageError = (message: string): never => {
  throw invalidRequest('', message);
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const parse = (args: readonly string[]): ReconcileOptions => {
  const options = {
    bill: { type: 'string' },
    provider: { type: 'string' },
    tolerance: { type: 'string', default: '0.01' },
    format: { type: 'string', default: 'text' },
  } as const;
  const read = () => {
    try {
      return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
    } catch (error) {
      return usageError(messageOf(error));
    }
  };
  const { bill = usageError('--bill is required: the file of the bill.'), provider, tolerance, format } = read();
  if (format !== 'text' && format !== 'json') usageError(`--format must be text or json, not "${format}".`);
  if (!/^(0(\.\d+)?|1)$/.test(tolerance))
    usageError(`--tolerance must be a number from 0 to 1, such as 0.01, not "${tolerance}".`);
  return { bill, provider, tolerance: Number(tolerance), format };
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

/** Reads the days from the ledger, in UTC as vendors count them. */
const readLedger = async (url: string, provider: string, days: readonly string[]): Promise<readonly BillLine[]> => {
  const times = days.map((day) => Date.parse(`${day}T00:00:00Z`));
  const [from, to] = [
    times.reduce((one, other) => Math.min(one, other)),
    times.reduce((one, other) => Math.max(one, other)) + DAY,
  ];
  const database = await openDatabase<LedgerSchema>(url, ledgerTables(TIMEOUT_MS));
  try {
    const lines = await readUsage(database, {
      from: startOf('day', from),
      to,
      step: 'day',
      by: ['target'],
      where: { provider: [provider] },
    });
    return lines.map(({ start = 0, dimensions: { target = '' }, counters }) => ({
      day: new Date(start).toISOString().slice(0, 10),
      model: target.slice(target.indexOf('/') + 1),
      figures: {
        requests: counters.exchanges,
        input: counters.input_tokens,
        cacheRead: counters.cache_read_tokens,
        cacheWrite: counters.cache_write_5m_tokens + counters.cache_write_1h_tokens,
        output: counters.output_tokens,
        cost: counters.cost,
      },
    }));
  } finally {
    await database.destroy();
  }
};

/** `koine ledger reconcile` (docs/operate/reconcile.md). Exits with 1 if a figure is outside of the tolerance. */
export const reconcile: PluginCommand = {
  summary: "compares a provider's usage or cost export with the ledger, by day and model",
  usage: '--bill FILE [--provider NAME] [--tolerance 0.01] [--format text|json]',
  run: async (args, { databaseUrl, providers, print }) => {
    const { bill: file, provider, tolerance, format } = parse(args);
    const text = await readFile(file, 'utf8').catch((error: unknown) =>
      usageError(`${file} cannot be read: ${messageOf(error)}.`),
    );
    const bill = readBill(text);
    const days = new Set(bill.map(({ day }) => day));
    const ledger = await readLedger(databaseUrl, selectProvider(provider, providers), [...days]);
    const comparison = compareBill(
      bill,
      ledger.filter(({ day }) => days.has(day)),
      tolerance,
    );
    if (format === 'json') print(JSON.stringify(encodeComparison(comparison), undefined, 2));
    else for (const line of describeComparison(comparison)) print(line);
    return comparison.differences.length === 0 ? 0 : 1;
  },
};
