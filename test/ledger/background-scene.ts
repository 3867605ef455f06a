import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { parse, stringify } from 'yaml';
import type { LedgerTable } from '../../plugins/ledger/tables.ts';
import { createKeepingVendor, type KeepingVendor } from '../e2e/stored/keeping-vendor.ts';
import { someTokens } from '../matrix/wires.ts';
import { runKoine, type KoineProcess, type LogLine } from '../processes/koine-process.ts';
import { send } from '../support/http.ts';
import { startPostgres, type PostgresServer } from '../support/servers/postgres.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { startUpstream } from '../support/upstream.ts';
import { until } from '../support/until.ts';
import { createReader } from './read-ledger.ts';
import type { Store } from './scene.ts';

const keys = { alice: 'alice-key-0123456789abcdef', other: 'other-key-0123456789abcdef' };
/** A reservation that lapses while a busy machine pauses its process is not made again. Claims last twice as long. */
const LEASE = '5s';
/** What each response can use at most. */
export const CAP = 500;
const request = { model: 'vendor/one', input: 'Hello', background: true, max_output_tokens: CAP } as const;

export interface Created {
  /** At the vendor. */
  readonly response: string;
  /** Of the request, and of its row. */
  readonly id: string;
}

/** Gateways in processes of their own on one database, in front of a vendor that keeps responses. */
export interface BackgroundScene {
  readonly vendor: KeepingVendor;
  readonly url: string;
  readonly postgres: PostgresServer | undefined;
  /** @param settings in addition */
  start(settings?: object): Promise<KoineProcess>;
  /** Changes the configuration file of a gateway, which reloads it. */
  change(koine: KoineProcess, edit: (config: Record<string, Record<string, unknown>>) => void): Promise<void>;
  clientOf(koine: KoineProcess, key?: keyof typeof keys): OpenAI;
  create(koine: KoineProcess): Promise<Created>;
  kill(koine: KoineProcess): Promise<void>;
  rowsOf(id: string): Promise<readonly LedgerTable[]>;
  settled(id: string): Promise<void>;
  /** Output tokens that the limit of the key counts at this gateway, reserved ones included. */
  used(koine: KoineProcess): Promise<number>;
  /** The responses that this gateway follows. */
  followed(koine: KoineProcess): Promise<number>;
  /** The lines of its end, of all gateways. */
  endsOf(id: string): readonly LogLine[];
  /** Expects one settled row with the vendor's figures, and one end. */
  expectOnce(id: string): Promise<void>;
  /** Exchanges and cost of all rows in the sums of the ledger. */
  sums(): Promise<{ readonly exchanges: number; readonly cost: bigint }>;
  /** Ends the gateways that were started so far. */
  end(): Promise<void>;
  stop(): Promise<void>;
}

const settingsOf = (database: string, spool: string, vendorUrl: string) => ({
  store: { database },
  providers: { vendor: { use: 'openai', config: { apiKey: 'vendor-key-0123456789', baseUrl: `${vendorUrl}/v1` } } },
  models: {
    'vendor/one': {
      wires: ['responses'],
      targets: [{ provider: 'vendor', model: 'one', wire: 'responses' }],
      price: { input: 3, output: 15 },
    },
  },
  organizations: {
    acme: {
      projects: {
        web: {
          keys: {
            alice: {
              key: keys.alice,
              limits: [
                { cost: 5, per: 'day' },
                { outputTokens: 100 * CAP, per: '24h' },
              ],
            },
          },
        },
        shop: { keys: { other: { key: keys.other } } },
      },
    },
  },
  plugins: [
    { use: 'metrics' },
    { use: 'auth' },
    { use: 'rate-limit', config: { lease: LEASE } },
    { use: 'ledger', config: { lease: LEASE, spool: { path: spool } } },
  ],
});

export async function startBackgroundScene(store: Store): Promise<BackgroundScene> {
  const folder = createTemporaryFolder();
  const vendor = createKeepingVendor();
  const upstream = await startUpstream();
  upstream.answer = vendor.answer;
  const postgres = store === 'postgres' ? await startPostgres('-c', 'synchronous_commit=on') : undefined;
  const url = postgres?.url ?? `sqlite:${join(folder.path, 'koine.db')}`;
  const base = settingsOf(url, join(folder.path, 'spool'), upstream.url);
  const reader = createReader(url);
  const started: KoineProcess[] = [];

  const end = async (): Promise<void> => {
    for (const koine of started) await koine.end();
  };
  const clientOf = (koine: KoineProcess, key: keyof typeof keys = 'alice'): OpenAI =>
    new OpenAI({ apiKey: keys[key], baseURL: `${koine.url}/v1`, maxRetries: 0, timeout: 20_000 });
  const rowsOf = (id: string): Promise<readonly LedgerTable[]> =>
    reader.read((database) => database.selectFrom('ledger').selectAll().where('id', '=', id).execute());
  const endsOf = (id: string) =>
    started
      .flatMap((koine) => koine.lines())
      .filter((line) => line['request_id'] === id && line['operation'] === 'background');
  return {
    vendor,
    url,
    postgres,
    start: async (settings = {}) => {
      const more = settings as { readonly store?: object };
      const koine = runKoine({ ...base, ...more, store: { ...base.store, ...more.store } });
      started.push(koine);
      await until('the gateway serves', () => koine.url !== '');
      return koine;
    },
    change: async (koine, edit) => {
      const reloads = (): number =>
        koine.lines().filter(({ message }) => message === 'the configuration was reloaded').length;
      const before = reloads();
      const config = parse(readFileSync(koine.file, 'utf8')) as Record<string, Record<string, unknown>>;
      edit(config);
      writeFileSync(koine.file, stringify(config));
      await until('the configuration is reloaded', () => reloads() > before);
    },
    clientOf,
    create: async (koine) => {
      const { data, request_id: id } = await clientOf(koine).responses.create(request).withResponse();
      return { response: data.id, id: id ?? '' };
    },
    kill: async (koine) => {
      koine.signal('SIGKILL');
      await koine.exit;
    },
    rowsOf,
    settled: (id) => until(`the row of ${id} is settled`, async () => (await rowsOf(id))[0]?.state === 'settled', 100),
    used: async (koine) => {
      const { text } = await send(koine.adminUrl, { method: 'GET', path: '/admin/limits' });
      const { limits } = JSON.parse(text) as {
        readonly limits: readonly { readonly unit: string; readonly used: number }[];
      };
      return limits.find(({ unit }) => unit === 'outputTokens')?.used ?? Number.NaN;
    },
    followed: async (koine) => {
      const { text } = await send(koine.adminUrl, { method: 'GET', path: '/metrics' });
      return Number(/^koine_background_responses (\d+)$/m.exec(text)?.[1]);
    },
    endsOf,
    expectOnce: async (id) => {
      const rows = await rowsOf(id);
      expect(rows).to.have.length(1);
      expect(rows[0]).to.include({
        state: 'settled',
        outcome: 'ok',
        key: 'alice',
        output_tokens: someTokens.output,
        usage_source: 'provider',
      });
      // The line is written before the row, and read from a pipe, perhaps after it.
      await until('its end is logged', () => endsOf(id).length > 0);
      expect(endsOf(id), `ends of ${id}`).to.have.length(1);
    },
    sums: () =>
      reader.read(async (database) => {
        const sums = await database.selectFrom('ledger_usage').selectAll().where('step', '=', 'month').execute();
        return {
          exchanges: sums.reduce((total, sum) => total + Number(sum.exchanges), 0),
          cost: sums.reduce((total, sum) => total + BigInt(sum.cost), 0n),
        };
      }),
    end,
    stop: async () => {
      await end();
      await upstream.stop();
      await reader.close();
      await postgres?.stop();
      folder.remove();
    },
  };
}
