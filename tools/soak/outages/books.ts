import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerTable } from '../../../plugins/ledger/tables.ts';
import { readLedger } from '../../../test/ledger/read-ledger.ts';
import { readExchangeLines, type ExchangeLine } from '../access-log.ts';
import type { Host, Life } from './host.ts';

/** What was used; `cost` in nano-dollars. */
export interface Amounts {
  readonly exchanges: number;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
}
/** A row of an exchange that called a provider, or could have. */
export type Row = Readonly<
  Pick<LedgerTable, 'id' | 'state' | 'organization' | 'project' | 'key' | 'input_tokens' | 'output_tokens'>
> & { readonly cost: number; readonly cached: number };

/** One life of a gateway, with the lines of its access log by request id. */
export interface LifeBook {
  readonly life: Life;
  readonly lines: ReadonlyMap<string, ExchangeLine>;
  /** Lines that stand in the log more than once. */
  readonly repeated: number;
}

/** Everything that counts exchanges or money, read when nothing is under way. */
export interface Books {
  readonly rows: readonly Row[];
  /** The sums of the ledger, by their step. */
  readonly sums: ReadonlyMap<string, Amounts>;
  /** `GET /admin/usage` of each host, by the path of the key. */
  readonly usage: readonly ReadonlyMap<string, Amounts>[];
  /** Nano-dollars that each budget has spent by `GET /admin/limits` of each host, by its path. */
  readonly budgets: readonly ReadonlyMap<string, number>[];
  readonly lives: readonly LifeBook[];
}

export const readRows = (url: string): Promise<readonly Row[]> =>
  readLedger(url, async (database) => {
    const rows = await database.selectFrom('ledger').selectAll().where('state', '<>', 'refused').execute();
    return rows.map(({ id, state, organization, project, key, input_tokens, output_tokens, cost, ...row }) => ({
      id,
      state,
      organization,
      project,
      key,
      input_tokens: Number(input_tokens),
      output_tokens: Number(output_tokens),
      cached: Number(row.cache_read_tokens) + Number(row.cache_write_5m_tokens) + Number(row.cache_write_1h_tokens),
      cost: Number(cost ?? 0),
    }));
  });

const readSums = (url: string): Promise<ReadonlyMap<string, Amounts>> =>
  readLedger(url, async (database) => {
    const steps = ['hour', 'day', 'month'] as const;
    const sums = new Map<string, Amounts>();
    for (const step of steps) {
      const all = await database.selectFrom('ledger_usage').selectAll().where('step', '=', step).execute();
      const add = (read: (row: (typeof all)[number]) => unknown): number =>
        all.reduce((sum, row) => sum + Number(read(row)), 0);
      sums.set(step, {
        exchanges: add(({ exchanges }) => exchanges),
        input: add(
          (row) =>
            Number(row.input_tokens) +
            Number(row.cache_read_tokens) +
            Number(row.cache_write_5m_tokens) +
            Number(row.cache_write_1h_tokens),
        ),
        output: add((row) => row.output_tokens),
        cost: add(({ cost }) => cost),
      });
    }
    return sums;
  });

interface UsageLine {
  readonly key: string;
  readonly exchanges: number;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly cost: string;
}
const nanosOf = (usd: string | number): number => Math.round(Number(usd) * 1e9);

const readUsage = async (host: Host): Promise<ReadonlyMap<string, Amounts>> => {
  const from = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const { lines } = await host.ask<{ lines: readonly UsageLine[] }>(`/admin/usage?from=${from}&by=key`);
  return new Map(
    lines.map(({ key, exchanges, tokens: { input, output }, cost }) => [
      key,
      { exchanges, input, output, cost: nanosOf(cost) },
    ]),
  );
};

interface ListedLimit {
  readonly organization: string;
  readonly project?: string;
  readonly key?: string;
  readonly unit: string;
  readonly spent?: number;
}

/** By the path of the organization, project or key. */
export const readBudgets = async (host: Host): Promise<ReadonlyMap<string, number>> => {
  const { limits } = await host.ask<{ limits: readonly ListedLimit[] }>('/admin/limits');
  return new Map(
    limits
      .filter(({ unit }) => unit === 'cost')
      .map(({ organization, project, key, spent }) => [
        [organization, project, key].filter((name) => name !== undefined).join('/'),
        nanosOf(spent ?? 0),
      ]),
  );
};

/** Bytes of the rows that are not in the database. */
export const readSpools = (hosts: readonly Host[]): number => {
  let bytes = 0;
  for (const { folder } of hosts)
    for (const name of readdirSync(folder)) if (name.includes('.spool.')) bytes += statSync(join(folder, name)).size;
  return bytes;
};

const readLife = async (life: Life): Promise<LifeBook> => {
  const lines = new Map<string, ExchangeLine>();
  let repeated = 0;
  for await (const line of readExchangeLines(life.gateway.log)) {
    if (lines.has(line.request_id)) repeated += 1;
    lines.set(line.request_id, line);
  }
  return { life, lines, repeated };
};

/** @param hosts whose gateways serve */
export async function readBooks(postgres: string, hosts: readonly Host[]): Promise<Books> {
  for (const host of hosts) await host.scrape();
  return {
    rows: await readRows(postgres),
    sums: await readSums(postgres),
    usage: await Promise.all(hosts.map(readUsage)),
    budgets: await Promise.all(hosts.map(readBudgets)),
    lives: await Promise.all(hosts.flatMap(({ lives }) => lives.map(readLife))),
  };
}
