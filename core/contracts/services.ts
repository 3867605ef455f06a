import type { Headers, Operation, WireName } from '../canonical/wire.ts';
import type { Caller } from './caller.ts';
import type { Codec } from './codec.ts';
import type { CallerScope } from './limit.ts';

export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
}

/** A key as it is kept: by digest, never by its secret. */
export interface KeyRecord {
  readonly caller: Caller;
  /** SHA-256 of the whole key. */
  readonly digest: Uint8Array;
  readonly disabled: boolean;
  /** Unix milliseconds. */
  readonly expiresAt?: number;
}

export interface KeyDirectory {
  /**
   * The key with this SHA-256 digest, from the configuration or the database.
   * @throws when the database cannot be asked
   */
  find(key: {
    readonly digest: Uint8Array;
    readonly text: string;
  }): KeyRecord | undefined | Promise<KeyRecord | undefined>;
}

/** Who stands above a caller. */
export interface Tenancy {
  /** The limits that hold for a caller: of the key, its project, its organization, in this order, also where a level has none. */
  scopes(caller: Caller): readonly CallerScope[];
}

/** A Lua script known to Redis by its digest. @throws within 100 ms where Redis does not answer */
export type RedisScript = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/** The Redis of `store.redis`. Nothing here waits for a connection: a command fails at once while there is none, and after 100 ms without an answer. */
export interface Redis {
  script(name: string, lua: string): RedisScript;
  /** @throws where Redis does not answer */
  ping(): Promise<void>;
  /** The ioredis client, for libraries that want one. */
  readonly client: unknown;
}

/** One metric; label values are bound once, not per update. */
export interface Metric {
  /**
   * What updates one combination of label values: adds to a counter, sets a gauge, observes in a histogram. The same values give the same function.
   * Values are configured ids or words of our own, never what a client wrote. Over the caps all of them become `other`.
   */
  bind(values: readonly string[]): (value: number) => void;
}
/** How a gauge of several processes becomes one. */
export type GaugeAggregate = 'sum' | 'max' | 'min' | 'first';

/** A metric of one or several processes as plain JSON. */
export interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** How those of several processes become one: counters and histograms by sum, a gauge as it was asked for. */
  readonly aggregator: string;
  /** Of a histogram: upper bounds, ascending, without the infinite one. */
  readonly buckets?: readonly number[];
  readonly series: readonly SeriesSnapshot[];
}
/** One combination of label values. */
export interface SeriesSnapshot {
  readonly labels: Readonly<Record<string, string>>;
  /** The value of a counter or gauge. Of a histogram how many were observed up to each bound, how many in all, and their sum. */
  readonly figures: readonly number[];
}
export type MetricsSnapshot = readonly MetricSnapshot[];

/**
 * Get or create, so that a reload registers nothing twice. Names and labels: docs/metrics.md.
 * @throws GatewayError where the name or a label could not be exported, or the name is taken by a metric of another shape
 */
export interface Metrics {
  counter(name: string, help: string, labels: readonly string[]): Metric;
  gauge(name: string, help: string, labels: readonly string[], aggregate: GaugeAggregate): Metric;
  /** @param buckets upper bounds, ascending */
  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Metric;
  /** Every metric as it stands in this process. */
  snapshot(): Promise<MetricsSnapshot>;
}

export interface FetchOptions {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Headers;
  readonly body?: string;
  /** For all of it: connect, request, whole answer. */
  readonly timeoutMs: number;
}

/** Calls a service that the operator named. Redirects are not followed. @throws where no whole answer of at most 1 MB came in time */
export type Fetch = (
  url: string,
  options: FetchOptions,
) => Promise<{ readonly status: number; readonly body: Uint8Array }>;

/** The instance of a plugin that exists once per host. */
export interface PrimaryLink {
  /**
   * Asks this plugin's primary instance: a plain call where there is one process, a message where there are workers. Messages are JSON.
   * Within one process an instance that answers without a promise is answered for without one, and what it throws is thrown at once; otherwise it is a
   * promise, which rejects in the same way. `await` takes both.
   * @throws GatewayError what the instance threw; or, after `timeoutMs`, that it did not answer
   */
  call(message: unknown, timeoutMs: number): unknown;
}

/** What a key, a project or an organization has spent. */
export interface SpendingQuery {
  /** The names from the organization down: `['acme', 'web', 'alice']` for a key. */
  readonly path: readonly string[];
  /** Patterns of catalog ids: only their exchanges count. Empty: all. */
  readonly models: readonly string[];
  /** Unix milliseconds; what ended from then on counts. */
  readonly since: number;
  /** What ended before then. Absent: until now. */
  readonly until?: number;
}

/** What the core lends to plugins and providers. */
export interface Services {
  readonly log: Log;
  readonly clock: Clock;
  readonly keys: KeyDirectory;
  readonly tenancy: Tenancy;
  /** undefined: `store.redis` names none. */
  readonly redis: Redis | undefined;
  readonly metrics: Metrics;
  readonly fetch: Fetch;
  /** `store.database`, for plugins that keep tables of their own: `openDatabase` opens it. */
  readonly databaseUrl: string;
  /** Absolute path of the folder of `gateway.yaml`: where relative paths in settings begin. */
  readonly folder: string;
  /** For plugins; a provider has no primary instance. */
  readonly primary: PrimaryLink;
  /** Outlives a reload: buckets, breakers, registries. Same key = same thing; disposed when no runtime holds it. */
  shared<T>(key: string, create: () => T, dispose?: (value: T) => void | Promise<void>): T;
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
}

/** Which callers are listed; what is left out may be any. */
export interface CallerFilter {
  readonly organization?: string;
  readonly project?: string;
  /** So many at most. */
  readonly limit: number;
}

/** What the primary instance of a plugin is lent. */
export interface PrimaryServices extends Omit<Services, 'primary' | 'codec'> {
  /** Nano-dollars, as the plugin that keeps the ledger knows them; undefined where there is none. @throws where it cannot be asked */
  spent(query: SpendingQuery): Promise<bigint | undefined>;
  /** For the plugin that answers `spent`: what it said before may have been too little. Every instance is told. */
  notifySpendingFound(): void;
  /** Whose keys are good, of the configuration first, then of the database. @throws where the database cannot be asked */
  callers(filter: CallerFilter): Promise<readonly Caller[]>;
}
