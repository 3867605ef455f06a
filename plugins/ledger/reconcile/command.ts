import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { invalidRequest, openDatabase, type PluginCommand } from '../../../core/index.ts';
import { startOf } from '../periods.ts';
import { readUsage } from '../read/usage.ts';
import { ledgerTables, type LedgerSchema } from '../tables.ts';
import type { BillLine } from './bill-line.ts';
import { compareBill } from './compare.ts';
import { describeComparison, encodeComparison } from './describe.ts';
import { readBill } from './read-bill.ts';

const DAY = 86_400_000;
/** Reading years of days may take its time: nobody waits for an answer. */
const PATIENCE_MS = 60_000;

interface Asked {
  readonly bill: string;
  readonly provider: string | undefined;
  readonly tolerance: number;
  readonly format: string;
}

const misuse = (message: string): never => {
  throw invalidRequest('', message);
};

const parse = (args: readonly string[]): Asked => {
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
      return misuse(error instanceof Error ? error.message : String(error));
    }
  };
  const { bill = misuse('--bill names the file of the bill.'), provider, tolerance, format } = read();
  if (format !== 'text' && format !== 'json') misuse(`--format must be text or json, not "${format}".`);
  if (!/^(0(\.\d+)?|1)$/.test(tolerance))
    misuse(`--tolerance is a share from 0 to 1, such as 0.01, not "${tolerance}".`);
  return { bill, provider, tolerance: Number(tolerance), format };
};

const selectProvider = (wanted: string | undefined, providers: readonly string[]): string => {
  if (wanted !== undefined)
    return providers.includes(wanted)
      ? wanted
      : misuse(`There is no provider "${wanted}"; there are ${providers.join(', ')}.`);
  const [only, ...others] = providers;
  return only !== undefined && others.length === 0
    ? only
    : misuse(`--provider says whose bill it is: ${providers.join(', ')}.`);
};

/** Whole days in UTC, as vendors count them. */
const readBooks = async (url: string, provider: string, days: readonly string[]): Promise<readonly BillLine[]> => {
  const times = days.map((day) => Date.parse(`${day}T00:00:00Z`));
  const [from, to] = [
    times.reduce((one, other) => Math.min(one, other)),
    times.reduce((one, other) => Math.max(one, other)) + DAY,
  ];
  const database = await openDatabase<LedgerSchema>(url, ledgerTables(PATIENCE_MS));
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

/** `koine ledger reconcile`: docs/reconcile.md. Exit code 1 where something differs by more than the tolerance. */
export const reconcile: PluginCommand = {
  summary: "compares a provider's usage or cost export with the ledger, by day and model",
  usage: '--bill FILE [--provider NAME] [--tolerance 0.01] [--format text|json]',
  run: async (args, { databaseUrl, providers, print }) => {
    const { bill: file, provider, tolerance, format } = parse(args);
    const text = await readFile(file, 'utf8').catch((error: unknown) =>
      misuse(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`),
    );
    const bill = readBill(text);
    const ledger = await readBooks(
      databaseUrl,
      selectProvider(provider, providers),
      bill.map(({ day }) => day),
    );
    const days = new Set(bill.map(({ day }) => day));
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
