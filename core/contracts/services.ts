import type { Headers, Operation, WireName } from '../canonical/wire.ts';
import type { Caller, CallerFilter, CallerPage, CallerScope, KeyRecord, SpendingQuery } from './caller.ts';
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
  /** `version` grows when the scopes of a caller may have changed: what was derived from them is outdated. */
  readonly changes?: { readonly version: number };
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
  /** The current values: of all threads of the process in a primary instance, else of this thread. */
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
   * Calls `handle` of the primary instance. A function call within one thread, a message between a worker and the main
   * thread: messages and results are cloned (`structuredClone`), and a result that is a `MessagePort` is moved. Within
   * one thread the result is returned and errors are thrown synchronously if `handle` is synchronous; otherwise it is a
   * promise. `await` covers both.
   * @throws GatewayError thrown by the primary instance; with `failure: 'timeout'` after `timeoutMs`
   * @example const granted = await primary.call({ take: 'alice' }, 100);
   */
  call(message: unknown, timeoutMs: number): unknown;
}

/** Options of a {@link SharedTable}. */
export interface SharedTableOptions<Column extends string> {
  /** The names of the numbers that each row has: 1 to 100. */
  readonly columns: readonly Column[];
  /** Most rows, up to 100,000: one more takes the place of the row that was changed least recently. */
  readonly rows: number;
}

/**
 * A table of numbers in memory that all threads of a host share. Each call is one step: no other thread sees a part of
 * it, and nothing of it remains if it throws or if its thread ends within it. No call makes a promise.
 */
export interface SharedTable<Column extends string> {
  /**
   * Adds to a number of a row. A row that does not exist begins with zeros.
   * @returns the number after it
   * @example const open = tickets.add(exchange.model, 'open', 1);
   */
  add(key: string, column: Column, amount: number): number;
  /**
   * Reads and changes a row in one step. Keep it short: other threads wait meanwhile.
   * @param change must be synchronous, and must not use this table; what it returns is returned
   * @example tickets.update('hall', (row) => void Object.assign(row, { open: 0, sold: 50 }));
   */
  update<T>(key: string, change: (row: Record<Column, number>) => T): T;
  /** A copy of a row; undefined where there is none. */
  read(key: string): Readonly<Record<Column, number>> | undefined;
  delete(key: string): void;
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
   * Opens a table of numbers in memory that all threads of this host share: exact over all workers, without a message.
   * It belongs to this extension and survives reloads, not a restart. With other options it is another table.
   * @throws GatewayError for options that are out of range, or if the main thread does not respond
   * @example const seen = await services.sharedTable('seen', { columns: ['requests'], rows: 1_000 });
   */
  sharedTable<Column extends string>(name: string, options: SharedTableOptions<Column>): Promise<SharedTable<Column>>;
  /**
   * The codec of a wire; undefined if none is registered.
   * @example const messages = codec('generate', 'messages')?.client;
   */
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
}

/** What `checkLive` of a plugin gets. No gateway is running in its process. */
export type LiveServices = Pick<Services, 'clock' | 'fetch' | 'folder' | 'log'>;

/** Something that operators should know of at once. It must not contain secrets. */
export interface Alert {
  /** What has happened, such as `circuit.opened`. */
  readonly event: string;
  /** One line, for the log and the subject of an e-mail. */
  readonly text: string;
  /** An alert with the same key is not sent again within `onceFor`. */
  readonly key: string;
  /** Milliseconds. */
  readonly onceFor: number;
  /** Further members of the event. */
  readonly fields: object;
  /** The log has a line of it already. */
  readonly isLogged?: true;
}

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
   * A page of the owners of valid keys, of the configuration and of the database.
   * @throws if the database is unreachable; GatewayError `invalid_request` for an `after` that is no `next`
   * @example const { callers: owners, next } = await callers({ organization: 'acme', limit: 1_000 });
   */
  callers(filter: CallerFilter): Promise<CallerPage>;
  /**
   * Logs an alert and sends it to `alerts.webhook` and `alerts.email`, once for all gateways that share a Redis. Never
   * rejects, and waits for no receiver.
   * @returns whether it was sent: false if one with the same key was
   * @example await alert({ event: 'disk.full', text: 'a disk is full', key: 'disk', onceFor: 60_000, fields: {} });
   */
  alert(alert: Alert): Promise<boolean>;
}
