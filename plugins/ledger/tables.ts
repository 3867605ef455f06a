import type { Outcome } from '../../core/api/index.ts';
import type { DatabaseOwner, Dialect } from '../../core/api/database.ts';

/** The tables of the ledger. Times are unix milliseconds, money is in nano-dollars. */
export interface LedgerSchema {
  readonly ledger: LedgerTable;
  readonly ledger_processes: ProcessesTable;
  readonly ledger_dimensions: DimensionsTable;
  readonly ledger_usage: UsageTable;
  readonly ledger_latencies: LatenciesTable;
}

/** One exchange. No column holds text of a prompt or a response. */
export interface LedgerTable {
  /** The `x-request-id` of the response, made by the gateway. */
  readonly id: string;
  /** The process that opened it: an id of `ledger_processes`. */
  readonly process: string;
  readonly state: 'pending' | 'settled' | 'abandoned';
  readonly opened_at: number;
  /** Of an abandoned row: when its process last renewed its lease. */
  readonly ended_at: number | null;
  readonly organization: string;
  readonly project: string;
  readonly key: string;
  readonly route: string;
  readonly wire: string;
  readonly operation: string;
  /** Catalog id. */
  readonly model: string;
  /**
   * `<provider>/<model at the provider>` of the last charge, or of the last attempt when nothing was charged; of a
   * pending row, the first target.
   */
  readonly target: string | null;
  readonly attempts: number;
  readonly status: number | null;
  readonly outcome: OutcomeName | null;
  readonly input_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_5m_tokens: number;
  readonly cache_write_1h_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  /** `provider` or `estimated`; null: nothing was used. */
  readonly usage_source: string | null;
  /** null: the usage has no price. */
  readonly cost: number | bigint | null;
  readonly price_version: string | null;
  readonly cache_saved: number | bigint | null;
  readonly cache_lost: number | bigint | null;
  readonly total_ms: number | null;
  readonly first_content_ms: number | null;
  /** JSON: usage as the provider reported it. */
  readonly raw_usage: string | null;
  /** JSON: all charges, when there are several. */
  readonly charges: string | null;
  /** Counted when the exchange is never settled: its input at the price of the first target. */
  readonly estimated_target: string | null;
  readonly estimated_input_tokens: number | null;
  readonly estimated_cost: number | bigint | null;
  /** The time its estimate was counted under. Kept when the row is settled afterwards. */
  readonly abandoned_at: number | null;
  /**
   * JSON: tags of the request by name, and tags of plugins by `<plugin>.<name>`. null: none, or the row is of an
   * earlier version.
   */
  readonly tags: string | null;
  /** Counts that were added later are 0 in rows of earlier versions; `tier` and `region` are null there. */
  readonly cache_write_12h_tokens: number;
  readonly web_searches: number;
  readonly web_fetches: number;
  readonly images: number;
  /** Audio or video that is billed by its duration, in milliseconds. */
  readonly media_ms: number;
  /** The service tier and the place of the call, under the vendor's names; null: not reported, or they differ. */
  readonly tier: string | null;
  readonly region: string | null;
  /** The end user, as `attribution` of the configuration says. null: none is known. */
  readonly end_user: string | null;
  /** JSON: models other than that of the target which the vendor used, under its names. null: none is known. */
  readonly vendor_models: string | null;
}
export type OutcomeName = Outcome['result'] | 'abandoned';

/** Leases of the processes that write. Times are by the clock of the database, since the clocks of hosts differ. */
export interface ProcessesTable {
  readonly id: string;
  readonly renewed_at: number;
  /** From then on its open rows are abandoned. */
  readonly expires_at: number;
}

/** What usage is counted by. The id is a digest of the other columns, so that every process computes the same one. */
export interface DimensionsTable {
  readonly id: number;
  readonly organization: string;
  readonly project: string;
  readonly key: string;
  readonly route: string;
  readonly wire: string;
  readonly operation: string;
  readonly model: string;
  readonly provider: string;
  readonly target: string;
}
export const dimensionNames = [
  'organization',
  'project',
  'key',
  'route',
  'wire',
  'operation',
  'model',
  'provider',
  'target',
] as const satisfies readonly (keyof DimensionsTable)[];
export type DimensionName = (typeof dimensionNames)[number];

export const outcomeNames = [
  'ok',
  'client_error',
  'rate_limited',
  'auth',
  'upstream_error',
  'timeout',
  'client_closed',
  'gateway_error',
  'abandoned',
  'unfinished',
] as const satisfies readonly OutcomeName[];
export const tokenColumns = [
  'input_tokens',
  'cache_read_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
] as const satisfies readonly (keyof LedgerTable)[];
/** Counts of usage that the first version did not have. */
export const laterCounts = [
  'cache_write_12h_tokens',
  'web_searches',
  'web_fetches',
  'images',
  'media_ms',
] as const satisfies readonly (keyof LedgerTable)[];
/** What a row counts, and what is summed up. */
export const countColumns = [...tokenColumns, ...laterCounts] as const;
/**
 * The counters of an hour, a day or a month. `ok_ms` is the total time of successful exchanges; `estimated` and
 * `unpriced` count charges.
 */
export const counterNames = [
  'exchanges',
  ...outcomeNames,
  ...countColumns,
  'estimated',
  'cost',
  'unpriced',
  'cache_saved',
  'cache_lost',
  'ok_ms',
] as const;
export type CounterName = (typeof counterNames)[number];

interface PeriodColumns {
  readonly step: 'hour' | 'day' | 'month';
  /** Start of the period, in UTC. */
  readonly start: number;
  readonly dimension: number;
}
export type UsageTable = PeriodColumns & Readonly<Record<CounterName, number | bigint>>;
/** Histograms of the durations of successful exchanges: histogram.ts. */
export interface LatenciesTable extends PeriodColumns {
  readonly kind: 'total' | 'first_content';
  readonly bucket: number;
  readonly count: number;
}

const columns = (type: string, names: readonly string[]): string => names.map((name) => `${name} ${type}`).join(', ');
const clustered = ({ name }: Dialect): string => (name === 'sqlite' ? 'STRICT, WITHOUT ROWID' : '');

/** The counters of the first migration. Each later counter has a migration of its own. */
const laterCounters: ReadonlySet<CounterName> = new Set(['unfinished', ...laterCounts]);
const firstCounters = counterNames.filter((name) => !laterCounters.has(name));
const addUnfinished = ({ integer }: Dialect): readonly string[] => [
  `ALTER TABLE ledger_usage ADD COLUMN unfinished ${integer} NOT NULL DEFAULT 0`,
];
const addTags = ({ text }: Dialect): readonly string[] => [`ALTER TABLE ledger ADD COLUMN tags ${text}`];
const addUnits = ({ integer, text }: Dialect): readonly string[] => [
  ...['ledger', 'ledger_usage'].flatMap((table) =>
    laterCounts.map((name) => `ALTER TABLE ${table} ADD COLUMN ${name} ${integer} NOT NULL DEFAULT 0`),
  ),
  ...['tier', 'region'].map((name) => `ALTER TABLE ledger ADD COLUMN ${name} ${text}`),
];

/** The index serves budgets of one user, whose spending is read when a window begins. */
const addUsers = ({ text }: Dialect): readonly string[] => [
  `ALTER TABLE ledger ADD COLUMN end_user ${text}`,
  'CREATE INDEX ledger_user ON ledger (end_user, ended_at) WHERE end_user IS NOT NULL',
];

const addModels = ({ text }: Dialect): readonly string[] => [`ALTER TABLE ledger ADD COLUMN vendor_models ${text}`];

const createTables = (dialect: Dialect): readonly string[] => {
  const { text, integer, strict } = dialect;
  const [needText, need] = [`${text} NOT NULL`, `${integer} NOT NULL`];
  return [
    `CREATE TABLE ledger (
      id ${text} PRIMARY KEY, ${columns(needText, ['process', 'state'])}, opened_at ${need}, ended_at ${integer},
      ${columns(needText, ['organization', 'project', 'key', 'route', 'wire', 'operation', 'model'])}, target ${text},
      attempts ${need}, status ${integer}, outcome ${text},
      ${columns(need, tokenColumns)},
      usage_source ${text}, cost ${integer}, price_version ${text},
      ${columns(integer, ['cache_saved', 'cache_lost', 'total_ms', 'first_content_ms'])},
      ${columns(text, ['raw_usage', 'charges', 'estimated_target'])},
      ${columns(integer, ['estimated_input_tokens', 'estimated_cost', 'abandoned_at'])}
    ) ${strict}`,
    "CREATE INDEX ledger_pending ON ledger (process) WHERE state = 'pending'",
    'CREATE INDEX ledger_ended ON ledger (ended_at)',
    `CREATE TABLE ledger_processes (id ${text} PRIMARY KEY, ${columns(need, ['renewed_at', 'expires_at'])}) ${strict}`,
    `CREATE TABLE ledger_dimensions (id ${integer} PRIMARY KEY, ${columns(needText, dimensionNames)}) ${strict}`,
    `CREATE TABLE ledger_usage (step ${needText}, ${columns(need, ['start', 'dimension', ...firstCounters])},
      PRIMARY KEY (step, start, dimension)) ${clustered(dialect)}`,
    `CREATE TABLE ledger_latencies (step ${needText}, ${columns(need, ['start', 'dimension'])}, kind ${needText},
      ${columns(need, ['bucket', 'count'])},
      PRIMARY KEY (step, start, dimension, kind, bucket)) ${clustered(dialect)}`,
  ];
};

/** @param timeoutMs timeout of one statement; on SQLite, how long it waits for other writers */
export const ledgerTables = (timeoutMs: number): DatabaseOwner => ({
  name: 'ledger',
  migrations: [
    { name: '001-ledger', sql: createTables },
    { name: '002-unfinished', sql: addUnfinished },
    { name: '003-tags', sql: addTags },
    { name: '004-units', sql: addUnits },
    { name: '005-users', sql: addUsers },
    { name: '006-models', sql: addModels },
  ],
  timeoutMs,
});
