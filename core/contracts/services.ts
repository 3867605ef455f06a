import type { Headers, Operation, WireName } from '../canonical/wire.ts';
import type { Caller, CallerScope } from './caller.ts';
import type { Codec } from './codec.ts';

/** The log of an extension. Each line is one JSON object; known secrets are redacted. */
export interface Log {
  /** @example log.info({ key: 'alice', ms: 12 }, 'the key was looked up') */
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** The clock. Tests replace it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  monotonic(): number;
}

/** A key as it is stored: by digest, never by its secret. */
export interface KeyRecord {
  readonly caller: Caller;
  /** SHA-256 of the whole key. */
  readonly digest: Uint8Array;
  readonly disabled: boolean;
  /** A person has made the key for whom the directory (`admin.scim`) never had a user. */
  readonly unprovisioned?: boolean;
  /** Unix milliseconds; absent: the key does not expire. */
  readonly expiresAt?: number;
}

/** The keys of the configuration and the database. */
export interface KeyDirectory {
  /**
   * Finds a key by its SHA-256 digest. Returns undefined for an unknown key; disabled and expired keys are returned.
   * @throws if the database is unreachable
   */
  find(key: {
    readonly digest: Uint8Array;
    readonly text: string;
  }): KeyRecord | undefined | Promise<KeyRecord | undefined>;
}

/** The organizations and projects of callers. */
export interface Tenancy {
  /** The rules of a caller's key, project and organization, in this order. Levels without rules are included. */
  scopes(caller: Caller): readonly CallerScope[];
}

/** A Lua script that Redis runs by its digest. @throws if Redis does not respond within 100 ms */
export type RedisScript = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/**
 * The Redis of `store.redis`. A command fails at once while there is no connection, and after 100 ms without a
 * response: with a GatewayError whose `failure` is `timeout`.
 */
export interface Redis {
  /** @example const take = redis.script('take', lua); await take(['bucket:alice'], [1, 60_000]); */
  script(name: string, lua: string): RedisScript;
  /** @throws if Redis does not respond */
  ping(): Promise<void>;
  /** `store.redis.grants`: whether a process takes parts of limits in advance. Absent: no. */
  readonly grants?: boolean;
  /** The ioredis client, for libraries that require one. */
  readonly client: unknown;
}

/** A metric. Label values are bound once, not per update. */
export interface Metric {
  /**
   * Returns the update function of one combination of label values: adds to a counter, sets a gauge, observes a value
   * in a histogram. The same values return the same function. Use configured ids or fixed terms as values, never text
   * from a client. Beyond the maximum number of combinations every value becomes `other`.
   * @example const count = metrics.counter('hits_total', 'Hits.', ['key']).bind(['alice']); count(1);
   */
  bind(values: readonly string[]): (value: number) => void;
}

/** How a gauge of several processes is merged. */
export type GaugeAggregate = 'sum' | 'max' | 'min' | 'first';

/** A metric of one or several processes as plain JSON. */
export interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** How processes are merged: `sum` for counters and histograms, the chosen aggregate for a gauge. */
  readonly aggregator: string;
  /** Upper bounds of a histogram, ascending, without the infinite one. */
  readonly buckets?: readonly number[];
  readonly series: readonly SeriesSnapshot[];
}

/** The values of one combination of labels. */
export interface SeriesSnapshot {
  readonly labels: Readonly<Record<string, string>>;
  /** The value of a counter or gauge. For a histogram the count up to each bound, the total count, and the sum. */
  readonly figures: readonly number[];
}

/** Every metric of one or several processes. */
export type MetricsSnapshot = readonly MetricSnapshot[];

/**
 * Registers metrics. An existing metric of the same name is returned, so that a reload can register again. Names and
 * labels are listed in docs/reference/metrics.md.
 * @throws GatewayError if a name or label is invalid, or the name belongs to a metric of another type or other labels
 */
export interface Metrics {
  counter(name: string, help: string, labels: readonly string[]): Metric;
  gauge(name: string, help: string, labels: readonly string[], aggregate: GaugeAggregate): Metric;
  /** @param buckets upper bounds, ascending */
  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Metric;
  /** The current values of this process. */
  snapshot(): Promise<MetricsSnapshot>;
}

/** Options of {@link Fetch}. */
export interface FetchOptions {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Headers;
  readonly body?: string | Uint8Array;
  /** For the whole call: connect, request and complete response. */
  readonly timeoutMs: number;
}

/**
 * Calls a service that the operator configured. Redirects are not followed.
 * @throws if no complete response of at most 1 MB arrives in time
 */
export type Fetch = (
  url: string,
  options: FetchOptions,
) => Promise<{ readonly status: number; readonly body: Uint8Array }>;

/** The connection from a plugin instance to the primary instance of the same plugin. */
export interface PrimaryLink {
  /**
   * Calls `handle` of the primary instance. A function call within one process, a message between a worker and the
   * primary process. Messages and results are JSON. Within one process the result is returned and errors are thrown
   * synchronously if `handle` is synchronous; otherwise it is a promise. `await` covers both.
   * @throws GatewayError thrown by the primary instance; with `failure: 'timeout'` if it does not respond within
   * `timeoutMs`
   * @example const granted = await primary.call({ take: 'alice' }, 100);
   */
  call(message: unknown, timeoutMs: number): unknown;
}

/** Selects past spending of a key, a project or an organization. */
export interface SpendingQuery {
  /** Names from the organization down: `['acme', 'web', 'alice']` for a key. */
  readonly path: readonly string[];
  /** Patterns of catalog ids: only exchanges with these models count. Empty: all. */
  readonly models: readonly string[];
  /** Only exchanges of this end user. */
  readonly user?: string;
  /** Only exchanges with this tag. */
  readonly tag?: { readonly name: string; readonly value: string };
  /** Unix milliseconds; exchanges that ended at or after it count. */
  readonly since: number;
  /** Unix milliseconds; exchanges that ended before it count. Absent: until now. */
  readonly until?: number;
}

/** What the core provides to plugins and providers. */
export interface Services {
  readonly log: Log;
  readonly clock: Clock;
  readonly keys: KeyDirectory;
  readonly tenancy: Tenancy;
  /** Undefined if `store.redis` is not configured. */
  readonly redis: Redis | undefined;
  readonly metrics: Metrics;
  readonly fetch: Fetch;
  /** `store.database`, for plugins with tables of their own: open it with `openDatabase`. */
  readonly databaseUrl: string;
  /** Absolute path of the folder of `gateway.yaml`. Relative paths in settings are resolved against it. */
  readonly folder: string;
  /** For plugins. A provider has no primary instance. */
  readonly primary: PrimaryLink;
  /**
   * Returns the resource of this key, and creates it on first use. It survives reloads: one configuration after the
   * other gets the same resource. It is disposed of when no running configuration uses it. Include every option that it
   * depends on in the key.
   * @example const pool = shared(`audit/pool ${url}`, () => new Pool(url), (unused) => unused.close());
   */
  shared<T>(key: string, create: () => T, dispose?: (value: T) => void | Promise<void>): T;
  /**
   * The codec of a wire; undefined if none is registered.
   * @example const messages = codec('generate', 'messages')?.client;
   */
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
}

/** Selects callers. An absent name matches all. */
export interface CallerFilter {
  readonly organization?: string;
  readonly project?: string;
  /** Maximum number of results. */
  readonly limit: number;
}

/** What `checkLive` of a plugin gets. No gateway is running in its process. */
export type LiveServices = Pick<Services, 'clock' | 'fetch' | 'folder' | 'log'>;

/** What the core provides to the primary instance of a plugin. */
export interface PrimaryServices extends Omit<Services, 'primary' | 'codec'> {
  /**
   * Past spending in nano-dollars, from the plugin with `spent` (the ledger); undefined if there is none.
   * @throws if the ledger is unreachable
   * @example const cost = await spent({ path: ['acme'], models: [], since: midnight });
   */
  spent(query: SpendingQuery): Promise<bigint | undefined>;
  /** For the plugin with `spent`: earlier results were too low. Calls `onSpendingFound` of every primary instance. */
  notifySpendingFound(): void;
  /**
   * The owners of valid keys, first those of the configuration, then those of the database.
   * @throws if the database is unreachable
   * @example const owners = await callers({ organization: 'acme', limit: 1_000 });
   */
  callers(filter: CallerFilter): Promise<readonly Caller[]>;
}
