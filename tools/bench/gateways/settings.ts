import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The key of every client of the benchmark. */
export const KEY = 'bench-key-0123456789abcdef';

type Settings = Readonly<Record<string, unknown>>;
type Plugins = readonly Settings[];

/** The plugins that the shipped configuration lists, with their settings. */
const manual = readFileSync(new URL('../../../gateway.yaml', import.meta.url), 'utf8');
const shipped = (parse(manual) as { readonly plugins: Plugins }).plugins;

const pluginsOf = {
  ungoverned: [{ use: 'auth' }],
  metrics: [{ use: 'metrics' }, { use: 'auth' }],
  limits: [{ use: 'auth' }, { use: 'rate-limit' }],
  ledger: [{ use: 'auth' }, { use: 'ledger' }],
  failover: [{ use: 'auth' }, { use: 'failover' }],
  governed: [{ use: 'metrics' }, { use: 'auth' }, { use: 'rate-limit' }, { use: 'ledger' }],
  everything: shipped,
} satisfies Readonly<Record<string, Plugins>>;

/** Which plugins a gateway has: keys alone, keys and one more, the governed set, or all that `gateway.yaml` lists. */
export type Rules = keyof typeof pluginsOf;

const key = { key: KEY };
const keysOnly = { organizations: { bench: { projects: { bench: { keys: { bench: key } } } } } };
/** Five limits that no load reaches, of every unit and in all three scopes. */
const fiveLimits = {
  limits: [
    { requests: 1e9, per: '1m' },
    { tokens: 1e12, per: '1m' },
  ],
  organizations: {
    bench: {
      limits: [{ cost: 1e6, per: 'month' }, { concurrent: 1e6 }],
      projects: { bench: { limits: [{ tokens: 1e12, per: '1h' }], keys: { bench: key } } },
    },
  },
};

const price = { input: 1, output: 2 };
const chat = (provider: string): Settings => ({ targets: [{ provider, model: 'bench' }], price });
const deadFirst = {
  targets: [
    { provider: 'dead', model: 'bench' },
    { provider: 'openai', model: 'bench' },
  ],
  price,
};
const models = {
  'openai/bench': chat('openai'),
  'anthropic/bench': chat('anthropic'),
  'google/bench': chat('google'),
  // Its first target answers nothing.
  'openai/dead-first': deadFirst,
  'openai/embed': { targets: [{ provider: 'openai', model: 'text-embedding-3-small' }], wires: ['embeddings'], price },
};
const provider = (use: string, baseUrl: string): Settings => ({ use, config: { apiKey: 'key', baseUrl } });

/**
 * The configuration of a gateway of the benchmark, on free ports, with a database beside its file.
 * @param upstream the address that answers for every provider
 * @param more settings that stand instead of these
 */
export function settingsOf(rules: Rules, upstream: string, more: Settings = {}): Settings {
  const plugins: Plugins = pluginsOf[rules];
  return {
    server: { port: 0 },
    admin: { port: 0 },
    store: { database: 'sqlite:./bench.db' },
    providers: {
      openai: provider('openai', `${upstream}/v1`),
      anthropic: provider('anthropic', upstream),
      google: provider('google', upstream),
      dead: provider('openai', 'http://127.0.0.1:1/v1'),
    },
    models,
    plugins,
    ...(plugins.some(({ use }) => use === 'rate-limit') ? fiveLimits : keysOnly),
    ...more,
  };
}
