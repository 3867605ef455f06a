import { standardRoutes } from '../../../core/config/schema/route.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { parseMetrics, sumOf } from '../../support/parse-metrics.ts';
import { json, readJson } from '../../support/admin.ts';
import { goodHeaders, send, type HttpReply } from '../../support/http.ts';
import { runKoine, type KoineProcess, type LogLine } from '../../processes/koine-process.ts';
import { until } from '../../support/until.ts';

export const SIMULATOR = 'simulator/chat';
export const VENDOR = 'openai/gpt-4.1';

/** The secret of the key with this name. */
export const secretOf = (name: string): string => `${name}-key-0123456789abcdef`;

export interface LimitedSettings {
  /** The limits of each key, by its name. */
  readonly keys: Readonly<Record<string, readonly object[]>>;
  readonly project?: readonly object[];
  readonly organization?: readonly object[];
  /** More organizations: the limits of each, which has one key of its own name. */
  readonly teams?: Readonly<Record<string, readonly object[]>>;
  /** Of the plugin. */
  readonly config?: object;
  readonly alerts?: object;
  readonly workers?: number;
  /** Address of the Redis, or its settings. */
  readonly redis?: string | object;
  readonly redisTimeout?: string;
  /** Its database; a ledger is kept in it. Absent: one of its own, and no ledger. */
  readonly database?: string;
  /** Of the ledger. */
  readonly ledger?: object;
  /** Address of the scripted vendor. */
  readonly vendor?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A limit as `koine explain` describes it. */
export interface LimitLeft {
  readonly scope: string;
  readonly unit: string;
  readonly amount: number;
  readonly remaining?: number;
  readonly spent?: number;
}

/** `koine serve` with limits, in processes of its own. */
export interface Limited extends KoineProcess {
  /** A small request with the key of this name. */
  ask(key: string, more?: object): Promise<HttpReply>;
  /** What is left of every limit of the key, by the admin API. */
  left(key: string, model?: string): Promise<readonly LimitLeft[]>;
  /** The access log. */
  exchanges(): readonly LogLine[];
  /** Lines of the log with this text. */
  saying(text: string): readonly LogLine[];
  /** The sum of a metric over the series with these labels. */
  figure(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
}

/** The price: a micro-dollar per token. */
const price = { input: 1, output: 1 };
const wires = ['chat-completions', 'messages', 'responses', 'generate-content', 'embeddings', 'embed-content'];
const everyWire = [...new Set(standardRoutes.flatMap((route) => ('wire' in route ? [route.wire] : [])))];
const modelOf = (provider: string, ...models: readonly string[]): object => ({
  price,
  wires,
  targets: models.map((model) => ({ provider, model })),
});

const settingsOf = ({
  keys,
  project,
  organization,
  teams = {},
  config,
  alerts = {},
  workers = 1,
  redis,
  redisTimeout,
  database,
  ledger = {},
  vendor = 'http://127.0.0.1:9',
}: LimitedSettings): Readonly<Record<string, unknown>> => ({
  server: { workers, overload: { lag: '1m' } },
  alerts,
  store: omitUndefined({
    database: database ?? 'sqlite:./koine.db',
    redis,
    redisTimeout,
  }),
  providers: {
    simulator: { use: 'simulator' },
    openai: { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: `${vendor}/v1` } },
  },
  models: {
    [SIMULATOR]: { ...modelOf('simulator', 'chat'), wires: everyWire },
    [VENDOR]: modelOf('openai', 'gpt-4.1'),
    'openai/gpt-5-mini': modelOf('openai', 'gpt-5-mini'),
    'openai/patient': modelOf('openai', 'first', 'second'),
  },
  organizations: {
    acme: omitUndefined({
      limits: organization,
      projects: {
        web: omitUndefined({
          limits: project,
          keys: Object.fromEntries(
            Object.entries(keys).map(([name, limits]) => [name, { key: secretOf(name), limits }]),
          ),
        }),
      },
    }),
    ...Object.fromEntries(
      Object.entries(teams).map(([name, limits]) => [
        name,
        { limits, projects: { [name]: { keys: { [name]: { key: secretOf(name) } } } } },
      ]),
    ),
  },
  plugins: [
    { use: 'metrics' },
    { use: 'auth' },
    omitUndefined({ use: 'rate-limit', config }),
    ...(database === undefined ? [] : [{ use: 'ledger', config: ledger }]),
  ],
});

/** A small request: some 28 tokens of input by its size, 50 of output by its cap. */
export const bodyOf = (more: object = {}): string =>
  JSON.stringify({ model: SIMULATOR, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }], ...more });

export const headersOf = (key: string): Readonly<Record<keyof typeof goodHeaders, string>> => ({
  ...goodHeaders,
  authorization: `Bearer ${secretOf(key)}`,
});

interface Explanation {
  readonly plugins: readonly { readonly use: string; readonly says?: { readonly limits: readonly LimitLeft[] } }[];
}

/** Resolves when all of its processes serve. */
export const startLimited = async (settings: LimitedSettings): Promise<Limited> => {
  const koine = runKoine(settingsOf(settings), settings.variables);
  let isOver = false;
  void koine.exit.then(() => (isOver = true));
  const { workers = 1 } = settings;
  await until(
    'the gateway serves',
    () => isOver || (koine.url !== '' && (workers === 1 || koine.workers().length === workers)),
  );
  if (isOver) {
    await koine.end();
    throw new Error(`it did not start: ${koine.stderr()}`);
  }
  const [url, adminUrl] = [koine.url, koine.adminUrl];
  const saying = (text: string): readonly LogLine[] => koine.lines().filter(({ message }) => message === text);
  return {
    ...koine,
    url,
    adminUrl,
    ask: (key, more) => send(url, { path: '/v1/chat/completions', headers: headersOf(key), body: bodyOf(more) }),
    left: async (key, model = SIMULATOR) => {
      const reply = await send(adminUrl, {
        path: '/admin/explain',
        headers: json,
        body: JSON.stringify({ key, model }),
      });
      return readJson<Explanation>(reply).plugins.find(({ use }) => use === 'rate-limit')?.says?.limits ?? [];
    },
    exchanges: () => saying('exchange'),
    saying,
    figure: async (name, labels = {}) =>
      sumOf(parseMetrics((await send(adminUrl, { method: 'GET', path: '/metrics', headers: {} })).text), name, labels),
  };
};
