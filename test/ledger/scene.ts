import { expect } from 'chai';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerTable } from '../../plugins/ledger/tables.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { runKoine, type KoineProcess } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { startPostgres, type PostgresServer } from '../support/servers/postgres.ts';
import { clients, keyOf, startLoad, type Load, type Seen } from './load.ts';
import { createReader } from './read-ledger.ts';
import type { LedgerUpstream } from './upstream.ts';

/** Real processes in front of one database. */
export interface LedgerScene {
  readonly folder: string;
  readonly url: string;
  readonly postgres: PostgresServer | undefined;
  /** Starts `koine serve` with these options of the ledger. */
  start(options?: object, workers?: number): Promise<KoineProcess>;
  /**
   * Starts all clients; they run until the load or the scene is stopped.
   * @param pauseMs of each client between two requests
   */
  load(koine: KoineProcess, pauseMs?: number): Load;
  rows(): Promise<readonly LedgerTable[]>;
  /** Resolves with the open rows when there are this many. */
  open(count: number): Promise<readonly LedgerTable[]>;
  /** Resolves with all rows when none is open, and none waits in a file. */
  closed(): Promise<readonly LedgerTable[]>;
  /** The sums over all periods of this length. */
  sums(step: 'hour' | 'day' | 'month'): Promise<Sums>;
  stop(): Promise<void>;
}
export interface Sums {
  readonly exchanges: number;
  readonly input: number;
  readonly output: number;
  readonly cost: bigint;
}

export type Store = 'sqlite' | 'postgres';
export const stores: readonly Store[] = ['sqlite', 'postgres'];

/** The shortest lease: abandoned rows are found within two seconds. */
export const LEASE = '1s';

/** @param path of the folder of an SQLite database */
export const startLedgerScene = async (store: Store, upstream: LedgerUpstream, path?: string): Promise<LedgerScene> => {
  const folder = createTemporaryFolder();
  // Commits must survive a kill -9 of the server.
  const postgres = store === 'postgres' ? await startPostgres('-c', 'synchronous_commit=on') : undefined;
  const url = postgres?.url ?? `sqlite:${join(path ?? folder.path, 'koine.db')}`;
  const reader = createReader(url);
  const started: KoineProcess[] = [];
  const loads: Load[] = [];
  const rows = (): Promise<readonly LedgerTable[]> =>
    reader.read((database) => database.selectFrom('ledger').selectAll().execute());
  /** A table has thousands of rows: while some are open, the others are not read. */
  const pending = (): Promise<readonly LedgerTable[]> =>
    reader.read((database) => database.selectFrom('ledger').selectAll().where('state', '=', 'pending').execute());
  // The row of a response is in a file when the response ends, and in the database some 100 ms later.
  const isWritten = (): boolean =>
    readdirSync(folder.path)
      .filter((name) => name.startsWith('spool.'))
      .every((name) => (statSync(join(folder.path, name), { throwIfNoEntry: false })?.size ?? 0) === 0);
  return {
    folder: folder.path,
    url,
    postgres,
    start: async (options = {}, workers = 1) => {
      const keys = Object.fromEntries(clients.map((client) => [client, { key: keyOf(client) }]));
      const koine = runKoine({
        store: { database: url },
        ...(workers === 1 ? {} : { server: { workers } }),
        providers: {
          vendor: { use: 'openai', config: { apiKey: 'vendor-key-0123456789', baseUrl: `${upstream.url}/v1` } },
        },
        models: {
          'vendor/one': {
            targets: [{ provider: 'vendor', model: 'one', wire: 'chat-completions' }],
            price: { input: 3, output: 15 },
          },
        },
        organizations: { acme: { projects: { web: { keys } } } },
        plugins: [
          { use: 'metrics' },
          { use: 'auth' },
          { use: 'ledger', config: { lease: LEASE, spool: { path: join(folder.path, 'spool') }, ...options } },
        ],
      });
      started.push(koine);
      let isOver = false;
      void koine.exit.then(() => (isOver = true));
      await until('the gateway serves', () => isOver || koine.url !== '');
      if (isOver) throw new Error(`it did not start: ${koine.stderr()}`);
      return koine;
    },
    load: ({ url }, pauseMs) => {
      const load = startLoad(url, pauseMs);
      loads.push(load);
      return load;
    },
    rows,
    open: async (count) => {
      let open: readonly LedgerTable[] = [];
      await until(`${count} open rows`, async () => (open = await pending()).length === count, 50);
      return open;
    },
    closed: async () => {
      let all: readonly LedgerTable[] = [];
      const isClosed = async (): Promise<boolean> =>
        isWritten() && (await pending()).length === 0 && (all = await rows()).every(({ state }) => state !== 'pending');
      await until('no row is open, and none waits', isClosed, 50);
      return all;
    },
    sums: (step) =>
      reader.read(async (database) => {
        const all = await database.selectFrom('ledger_usage').selectAll().where('step', '=', step).execute();
        const sum = (name: 'exchanges' | 'input_tokens' | 'output_tokens'): number =>
          all.reduce((total, row) => total + Number(row[name]), 0);
        return {
          exchanges: sum('exchanges'),
          input: sum('input_tokens'),
          output: sum('output_tokens'),
          cost: all.reduce((total, { cost }) => total + BigInt(cost), 0n),
        };
      }),
    stop: async () => {
      const stopped = loads.map((load) => load.stop());
      for (const koine of started) await koine.end();
      await Promise.all(stopped);
      await reader.close();
      await postgres?.stop();
      folder.remove();
    },
  };
};

const sumRows = (rows: readonly LedgerTable[]): Sums => ({
  exchanges: rows.length,
  input: rows.reduce((sum, row) => sum + row.input_tokens, 0),
  output: rows.reduce((sum, row) => sum + row.output_tokens, 0),
  cost: rows.reduce((sum, { cost }) => sum + BigInt(cost ?? 0), 0n),
});

/** Expects a settled row for every response, with the figures that the client saw. */
export const expectRows = (rows: readonly LedgerTable[], seen: readonly Seen[]): void => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id, client, status, input, output } of seen) {
    expect(byId.get(id), `the row of ${id}`).to.include({
      state: 'settled',
      key: client,
      status,
      input_tokens: input,
      output_tokens: output,
    });
  }
};

/** Expects the sums of every step to equal the rows. */
export const expectSums = async (scene: LedgerScene): Promise<void> => {
  const expected = sumRows((await scene.closed()).filter(({ state }) => state !== 'refused'));
  for (const step of ['hour', 'day', 'month'] as const) expect(await scene.sums(step), step).to.deep.equal(expected);
};
