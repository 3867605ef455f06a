import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { builtIns, KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { json, readJson } from '../support/admin.ts';
import { send } from '../support/http.ts';
import { everyWire } from '../support/scene.ts';
import type { BuiltIns } from '../../core/extensions/extension.ts';

export const TOKEN = 'admin-token-of-the-dashboard-tests';
const BOB = 'bob-key-0123456789abcdef';
const CAROL = 'carol-key-0123456789abcdef';

/** Long enough for a prompt cache. */
const rules = 'You are a helpful assistant of a small house by the sea, and answer in one sentence. '.repeat(80);

/** A model with these prices per million tokens. */
export const modelOf = (input: number, output: number, ...targets: readonly object[]): object => ({
  wires: everyWire,
  targets: targets.map((target) => ({ provider: 'simulator', model: 'chat', ...target })),
  price: { input, cacheRead: input / 10, output },
});

const settings = {
  plugins: ['metrics', 'auth', 'rate-limit', 'cache-accounting', 'ledger', 'failover', 'dashboard'].map((use) => ({
    use,
  })),
  providers: {
    simulator: { use: 'simulator' },
    away: { use: 'openai-compatible', config: { baseUrl: 'http://127.0.0.1:9/v1' } },
  },
  models: {
    'house/talk': modelOf(3, 15, {}),
    'house/quick': modelOf(0.5, 2, {}),
    'house/flaky': modelOf(1, 5, { provider: 'away', model: 'flaky' }, { wire: 'messages' }),
    'house/broken': modelOf(1, 5, { model: 'chat?status=503' }),
  },
  organizations: {
    acme: {
      // More than the cost of the invented history: the budget may be read from the ledger at any time.
      limits: [{ cost: 50, per: 'month' }],
      projects: {
        web: {
          limits: [{ tokens: 200_000, per: '1h' }],
          keys: {
            alice: { key: KEY, limits: [{ requests: 60, per: '1m' }, { concurrent: 8 }] },
            bob: { key: BOB, limits: [{ requests: 30, per: '1m' }] },
          },
        },
        batch: { keys: { carol: { key: CAROL, limits: [{ requests: 4, per: '1h' }] } } },
      },
    },
  },
};

export interface DashboardScene {
  readonly gateway: TestGateway;
  readonly url: string;
  /** Sends a request of a client. Resolves with its status. */
  ask(
    model: string,
    more?: {
      readonly key?: string;
      /** Of a key that has no name here. */
      readonly secret?: string;
      readonly path?: string;
      readonly stream?: boolean;
      readonly content?: string;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): Promise<number>;
  /** Calls the usage API. */
  usage<T>(query: string): Promise<T>;
  /** Resolves when the ledger has this many exchanges. */
  counted(exchanges: number): Promise<void>;
}

/** Client keys by name. */
export const keys: Readonly<Record<string, string>> = { alice: KEY, bob: BOB, carol: CAROL };

export const startDashboard = async (
  more: Readonly<Record<string, unknown>> = {},
  extensions: BuiltIns = builtIns,
): Promise<DashboardScene> => {
  const gateway = await startTestGateway({ ...settings, ...more }, extensions);
  const { url } = gateway.gateway.admin;
  const usage = async <T>(query: string): Promise<T> =>
    readJson<T>(
      await send(url, {
        method: 'GET',
        path: `/admin/usage?${query}`,
        headers: { ...json, authorization: `Bearer ${TOKEN}` },
      }),
    );
  return {
    gateway,
    url,
    ask: async (
      model,
      {
        key = 'alice',
        secret = keys[key],
        path = '/v1/chat/completions',
        stream = false,
        content = 'Good morning',
        headers: more = {},
      } = {},
    ) => {
      const isChat = path === '/v1/chat/completions';
      const messages = [...(isChat ? [{ role: 'system', content: rules }] : []), { role: 'user', content }];
      const body = {
        model,
        max_tokens: 64,
        ...(stream ? { stream } : {}),
        ...(isChat ? { logit_bias: { 50256: -100 } } : { system: rules }),
        messages,
      };
      const headers = { ...json, authorization: `Bearer ${secret}`, 'anthropic-version': '2023-06-01', ...more };
      return (await send(gateway.url, { path, headers, body: JSON.stringify(body) })).status;
    },
    usage,
    counted: async (exchanges) => {
      for (let waited = 0; ; waited += 50) {
        const { totals } = await usage<{ totals: { exchanges: number } }>('');
        if (totals.exchanges >= exchanges) return;
        if (waited > 60_000) throw new Error(`only ${totals.exchanges} of ${exchanges} exchanges are in the ledger`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
};

/** Sends requests of every kind. Resolves when all admitted ones are in the ledger. */
export const makeTraffic = async ({ ask, counted }: DashboardScene): Promise<void> => {
  const calls = [
    ...Array.from(
      { length: 8 },
      (_, index) => () =>
        ask('house/talk', {
          stream: index % 2 === 0,
          content: `A question, number ${index}, about the weather and the sea.`,
        }),
    ),
    ...Array.from({ length: 5 }, () => () => ask('house/quick', { key: 'bob' })),
    ...Array.from({ length: 3 }, () => () => ask('house/quick', { key: 'bob', path: '/v1/messages' })),
    ...Array.from({ length: 2 }, () => () => ask('house/flaky')),
    () => ask('house/broken'),
    ...Array.from({ length: 6 }, () => () => ask('house/quick', { key: 'carol' })),
  ];
  let admitted = 0;
  for (const call of calls) if ((await call()) !== 429) admitted += 1;
  await counted(admitted);
};

const openDatabaseOf = ({ gateway }: DashboardScene): DatabaseSync =>
  new DatabaseSync(join(dirname(gateway.gateway.reloads.live.file), 'koine.db'));

/** Adds a web search, a fetched page, two images and half a second of audio to each exchange. */
export const inventUnits = (scene: DashboardScene): void => {
  const database = openDatabaseOf(scene);
  database.exec(`UPDATE ledger_usage SET web_searches = exchanges, web_fetches = exchanges, images = 2 * exchanges,
    media_ms = 500 * exchanges`);
  database.close();
};

/** Moves the requests of a model to another time. */
export const moveRequests = (scene: DashboardScene, model: string, ms: number): void => {
  const database = openDatabaseOf(scene);
  database
    .prepare('UPDATE ledger SET opened_at = opened_at + ?, ended_at = ended_at + ? WHERE model = ?')
    .run(ms, ms, model);
  database.close();
};

/** Adds usage of the 24 hours before: multiples of the usage of this hour. */
export const inventHistory = (scene: DashboardScene): void => {
  const database = openDatabaseOf(scene);
  const fixed = new Set(['step', 'start', 'dimension', 'kind', 'bucket']);
  const texts = new Set(['total_times', 'first_times']);
  database.exec('BEGIN IMMEDIATE');
  for (const table of ['ledger_usage', 'ledger_latencies']) {
    const columns = database
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name }) => String(name));
    const into = `INSERT INTO ${table} (${columns.join(', ')})`;
    const choose = (start: string, step: string, count: (name: string) => string): string =>
      columns
        .map((name) =>
          name === 'step' ? `'${step}'` : name === 'start' ? start : fixed.has(name) ? name : count(name),
        )
        .join(', ');
    const { now } = { ...database.prepare(`SELECT max(start) AS now FROM ${table} WHERE step = 'hour'`).get() };
    for (let hours = 1; hours <= 24; hours += 1) {
      const factor = 2 + Math.round(8 * (1 + Math.sin(hours / 4)));
      const multiply = (name: string): string =>
        texts.has(name) ? name : `${name} * (1 + ${factor} * (1 + abs(dimension % 5)) / 3)`;
      const values = choose(`start - ${hours * 3_600_000}`, 'hour', multiply);
      database.exec(`${into} SELECT ${values} FROM ${table} WHERE step = 'hour' AND start = ${String(now)}`);
    }
    const groups = columns.filter((name) => fixed.has(name) && name !== 'step').join(', ');
    for (const step of ['day', 'month']) {
      database.exec(`DELETE FROM ${table} WHERE step = '${step}'`);
      const begin = `CAST(strftime('%s', start / 1000, 'unixepoch', 'start of ${step}') AS INTEGER) * 1000`;
      const sums = choose('begin', step, (name) => (texts.has(name) ? `group_concat(${name}, '')` : `sum(${name})`));
      const hours = `SELECT *, ${begin} AS begin FROM ${table} WHERE step = 'hour'`;
      database.exec(`${into} SELECT ${sums} FROM (${hours}) GROUP BY ${groups.replace('start', 'begin')}`);
    }
  }
  // The sums of views are built again.
  database.exec('DELETE FROM ledger_state; COMMIT');
  database.close();
};
