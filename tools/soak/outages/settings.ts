import { soakSettings } from '../settings.ts';

/** Paths of the keys. */
export const keyPaths = ['one/web/ann', 'one/web/bob', 'one/batch/cyd', 'two/web/dee', 'two/web/poor'] as const;
export const secretOf = (path: string): string => `soak-${path.replaceAll('/', '-')}-0123456789abcdef`;

/** The budget of the key `poor` in USD, which a long run exhausts. */
export const POOR_USD = 0.02;

export interface OutageSettings {
  readonly upstreams: readonly [string, string];
  /** Milliseconds between two pieces of a stream. */
  readonly pause: number;
  readonly postgres: string;
  readonly redis: string;
  readonly workers: number;
  /** Of the ledger and of reservations. */
  readonly lease: string;
  /** Settings that a reload changes: the size of the spool opens another writer of the ledger. */
  readonly spool: string;
}

const budget = (cost: number) => ({ limits: [{ cost, per: 'month' }] });
const keysOf = (project: string) =>
  Object.fromEntries(
    keyPaths
      .filter((path) => path.startsWith(`${project}/`))
      .map((path) => [
        path.split('/')[2],
        { key: secretOf(path), ...budget(path.endsWith('poor') ? POOR_USD : 1_000) },
      ]),
  );

/** The gateway of the soak with budgets in Redis and its ledger in Postgres. */
export function outageSettings({ upstreams, pause, postgres, redis, workers, lease, spool }: OutageSettings): object {
  const settings = soakSettings(...upstreams, pause);
  const plugin = (use: string, config: object) => ({ use, config });
  return {
    ...settings,
    server: { ...settings.server, workers, overload: { lag: '1m' } },
    store: { database: postgres, redis },
    plugins: settings.plugins.map((entry) => {
      if (entry.use === 'rate-limit') return plugin('rate-limit', { lease, replicas: 2 });
      return entry.use === 'ledger' ? plugin('ledger', { lease, spool: { size: spool } }) : entry;
    }),
    organizations: {
      one: {
        ...budget(5_000),
        projects: {
          web: { limits: [{ tokens: 1e12, per: '1m' }, { concurrent: 1e6 }], keys: keysOf('one/web') },
          batch: { ...budget(2_000), keys: keysOf('one/batch') },
        },
      },
      two: { ...budget(5_000), projects: { web: { ...budget(2_000), keys: keysOf('two/web') } } },
    },
  };
}
