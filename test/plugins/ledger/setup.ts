import { randomUUID } from 'node:crypto';
import {
  priceUsage,
  type Charge,
  type Exchange,
  type ExchangeOf,
  type Outcome,
  type Target,
  type Usage,
} from '../../../core/api/index.ts';
import { openDatabase } from '../../../core/api/database.ts';
import {
  createTestExchange,
  createTestOutcome,
  createTestPrice,
  createTestTarget,
} from '../../../core/testing/index.ts';
import { ledgerTables } from '../../../plugins/ledger/migrations.ts';
import type { LedgerSchema } from '../../../plugins/ledger/tables.ts';
import type { LedgerDatabase } from '../../../plugins/ledger/thread/insert.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { requirePostgres, startPostgres } from '../../support/servers/postgres.ts';

/** 21 November 2026, 10:20 UTC. */
export const NOW = Date.UTC(2026, 10, 21, 10, 20);
export const HOUR = 3_600_000;

/** A target that costs 1,000 nano-dollars for an input token and 2,000 for an output token. */
export const targetOf = (id: string, isPriced = true): Target =>
  createTestTarget(
    id,
    isPriced ? { price: createTestPrice({ input: 1_000_000_000n, output: 2_000_000_000n, version: `of ${id}` }) } : {},
  );
export const one = targetOf('vendor/one');

export const usageOf = (input: number, output: number, more: Partial<Usage> = {}): Usage => ({
  inputUncached: input,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output,
  reasoning: 0,
  source: 'provider',
  ...more,
});

const PROMPT = 'the text of a prompt';

/** An exchange with a unique id and an estimated input of 120 tokens. */
export const exchangeOf = (more: Partial<ExchangeOf<'generate'>> = {}): Exchange =>
  createTestExchange({
    id: `req_${randomUUID()}`,
    headers: { 'x-request-id': 'of-the-client' },
    inbound: { raw: Buffer.from(PROMPT), body: PROMPT, headers: {}, query: {} },
    model: 'vendor/chat',
    targets: [one],
    estimate: { inputTokens: 120, outputTokens: 1_000, declared: true },
    ...more,
  });

export const chargeOf = (target: Target, usage: Usage, attempt = 0): Charge => ({
  attempt,
  target,
  usage,
  price: target.price,
  cost: target.price && priceUsage(target.price, usage),
});

/** A successful outcome with these charges. */
export const outcomeOf = (charges: readonly Charge[], more: Partial<Outcome> = {}): Outcome => {
  const priced = charges.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  const sum = (name: 'inputUncached' | 'output'): number =>
    charges.reduce((total, { usage }) => total + usage[name], 0);
  return createTestOutcome({
    charges,
    usage: charges.length > 1 ? usageOf(sum('inputUncached'), sum('output')) : charges[0]?.usage,
    cost: priced.length === 0 ? undefined : priced.reduce((total, cost) => total + cost, 0n),
    attempts: charges.map(({ target }) => ({
      target: target.id,
      credential: 'key-1',
      lane: 'native',
      committed: true,
      status: 200,
      ms: 10,
      losses: [],
    })),
    times: { total: 1_234.5, firstContent: 100.4, own: 1 },
    ...more,
  });
};

/** Describes the same tests for both databases, with tables that are empty before each test. */
export const onBoth = (title: string, body: (database: () => LedgerDatabase) => void): void => {
  for (const store of ['sqlite', 'postgres'] as const) {
    describe(`${title}, on ${store}`, () => {
      let database: LedgerDatabase | undefined;
      let close = async (): Promise<void> => {};
      before(async function () {
        if (store === 'postgres') requirePostgres(this);
        const server = store === 'postgres' ? await startPostgres() : undefined;
        const folder = createTemporaryFolder();
        const opened = await openDatabase<LedgerSchema>(
          server?.url ?? `sqlite:${folder.path}/koine.db`,
          ledgerTables(10_000),
        );
        database = opened;
        close = async () => {
          await opened.destroy();
          await server?.stop();
          folder.remove();
        };
      });
      beforeEach(async () => {
        for (const table of [
          'ledger',
          'ledger_processes',
          'ledger_dimensions',
          'ledger_usage',
          'ledger_latencies',
          'ledger_groups',
          'ledger_state',
          'ledger_sinks',
          'ledger_unshipped',
        ] as const)
          await database?.deleteFrom(table).execute();
      });
      after(() => close());
      body(() => {
        if (database === undefined) throw new Error('there is no database yet');
        return database;
      });
    });
  }
};
