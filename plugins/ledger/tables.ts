import type { Outcome } from '../../core/api/index.ts';
import type { SinksTable, UnshippedTable } from './sinks/tables.ts';

/** The tables of the ledger. Times are unix milliseconds, money is in nano-dollars. */
export interface LedgerSchema {
  readonly ledger: LedgerTable;
  readonly ledger_processes: ProcessesTable;
  readonly ledger_dimensions: DimensionsTable;
  readonly ledger_groups: DimensionsTable;
  readonly ledger_state: StateTable;
  readonly ledger_usage: UsageTable;
  readonly ledger_latencies: LatenciesTable;
  readonly ledger_sinks: SinksTable;
  readonly ledger_unshipped: UnshippedTable;
}

/** One request. No column holds text of a prompt or a response. */
export interface LedgerTable {
  /** The `x-request-id` of the response, made by the gateway. */
  readonly id: string;
  /** The process that opened it: an id of `ledger_processes`. */
  readonly process: string;
  /** `refused`: before it was admitted. Such a row is not counted in the sums. */
  readonly state: 'pending' | 'settled' | 'abandoned' | 'refused';
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
  /** Of text that was spoken. */
  readonly characters: number;
  /** The service tier and the place of the call, under the vendor's names; null: not reported, or they differ. */
  readonly tier: string | null;
  readonly region: string | null;
  /** The end user, as `attribution` of the configuration says. null: none is known. */
  readonly end_user: string | null;
  /** JSON: models other than that of the target which the vendor used, under its names. null: none is known. */
  readonly vendor_models: string | null;
  // null in rows of versions without these columns.
  /** Code of the error; null: there was none. */
  readonly code: string | null;
  /** 1: the client asked for a stream. */
  readonly stream: number | null;
  /** The trace id of the client's `traceparent`. null: the gateway's own, which is in `id`. */
  readonly trace_id: string | null;
  /** The vendor's id of the last call. */
  readonly upstream_request_id: string | null;
  /** JSON: the attempts. null: none, or one that succeeded. */
  readonly trail: string | null;
  /** JSON: what the translation lost. null: nothing. */
  readonly losses: string | null;
  /** The error message, without secrets. */
  readonly message: string | null;
}
export type OutcomeName = Outcome['result'] | 'abandoned';

/** Leases of the processes that write. Times are by the clock of the database, since the clocks of hosts differ. */
export interface ProcessesTable {
  readonly id: string;
  readonly renewed_at: number;
  /** From then on its open rows are abandoned. */
  readonly expires_at: number;
  /** 1: it writes the sums of views and sketches. 0: a version before them. */
  readonly writes_views: number;
}

/** Facts about the whole ledger, by name. `views`: 1 when the sums of views equal the others. */
export interface StateTable {
  readonly name: 'views';
  readonly value: number;
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
export const countColumns = [...tokenColumns, ...laterCounts, 'characters'] as const;
/**
 * The counters of an hour, a day or a month. `ok_ms` is the total time of successful exchanges; `estimated` and
 * `unpriced` count charges; `retried` counts failed attempts that were followed by another one, each at its own target.
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
  'retried',
] as const;
export type CounterName = (typeof counterNames)[number];

/**
 * Coarser sums, for reports that need no more: those of `key` know no models, those of `model` no callers. A report by
 * model then reads as many sums as there are models, however many keys there are.
 */
export const views = {
  key: ['organization', 'project', 'key'],
  model: ['route', 'wire', 'operation', 'model', 'provider', 'target'],
} as const satisfies Readonly<Record<string, readonly DimensionName[]>>;
export type View = keyof typeof views;
export const viewNames = Object.keys(views) as readonly View[];

/** Text sketches of the durations of successful exchanges: histogram.ts. */
export const sketchNames = ['total_times', 'first_times'] as const;
export type SketchName = (typeof sketchNames)[number];

interface PeriodColumns<Name = 'hour' | 'day' | 'month'> {
  readonly step: Name;
  /** Start of the period, in UTC. */
  readonly start: number;
  readonly dimension: number;
}
/**
 * `dimension` is an id of `ledger_dimensions`; in sums of a view, whose step has its name (`key/day`), of
 * `ledger_groups`.
 */
export type UsageTable = PeriodColumns<Period | `${View}/${Period}`> &
  Readonly<Record<CounterName, number | bigint>> &
  Readonly<Record<SketchName, string>>;
export type Period = 'hour' | 'day' | 'month';
/** Counts by bucket that versions before sketches wrote. */
export interface LatenciesTable extends PeriodColumns {
  readonly kind: 'total' | 'first_content';
  readonly bucket: number;
  readonly count: number;
}
