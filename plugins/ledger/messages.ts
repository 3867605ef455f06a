import type { MessagePort } from 'node:worker_threads';
import type { Queries } from './read/queries.ts';
import type { SinksOptions } from './sinks/schema.ts';

/** `workerData` of a ledger thread. */
export interface ThreadSettings {
  readonly url: string;
  /** Absent: the thread writes no rows. */
  readonly writes?: WriteSettings;
  /** Absent: the thread ships no rows. */
  readonly shipping?: ShippingSettings;
}
export interface WriteSettings {
  /** Id of this process in the ledger. */
  readonly process: string;
  readonly durability: 'batched' | 'strict';
  readonly leaseMs: number;
}
export interface HousekeepingSettings {
  readonly leaseMs: number;
  readonly retentionMs: number;
  readonly usageRetentionMs: number;
  /** Common prefix of the spool files of all processes. */
  readonly spoolPath: string;
}

/** Settings of a thread that ships rows. */
export interface ShippingSettings {
  readonly sinks: SinksOptions;
  readonly leaseMs: number;
  /** That of `gateway.yaml`. */
  readonly folder: string;
}

/** What happened to a sink since its previous report. */
export interface SinkReport {
  readonly sink: string;
  /** Rows that it got. */
  readonly rows: number;
  readonly failures: number;
  /** Age of the oldest row that it does not have; absent if it was not measured. */
  readonly lagMs?: number;
}

/** What a writer sends. Those of worker threads have a port of their own. */
export type FromWriter =
  /** Rows to write. The next message is sent after the `accepted` of this one. */
  | ({ readonly kind: 'rows' } & RowsToWrite)
  /** Nothing follows. */
  | { readonly kind: 'close' };

export type ToThread =
  | FromWriter
  /** The writer of a worker thread, with its id in the ledger. Its rows come by the port, until that is closed. */
  | { readonly kind: 'writer'; readonly process: string; readonly port: MessagePort }
  /**
   * Starts housekeeping: open rows and spool files of dead processes, and expired rows. Sent again, it writes at once
   * what is in the files of other processes, whether they live or not.
   */
  | { readonly kind: 'housekeeping'; readonly settings: HousekeepingSettings }
  | { readonly kind: 'query'; readonly id: number; readonly name: keyof Queries; readonly parameters: unknown };

/** What a writer gets. */
export type ToWriter =
  /** Whether the rows are in the database. */
  | { readonly kind: 'accepted'; readonly written: boolean }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly fields: object; readonly text: string };

export type FromThread =
  | ToWriter
  | { readonly kind: 'ready' }
  /** The database could not be opened. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'query-failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'sink-report'; readonly report: SinkReport }
  /** Earlier results of `spent` may have been too low. */
  | { readonly kind: 'spending-changed' };

/** Rows of one process. */
export interface RowsToWrite {
  /** A list of rows as JSON. */
  readonly text: string;
  /** The path of a file with further rows. */
  readonly file?: string | undefined;
}

/** Rows that were written, and that could not be, since the previous report. */
export interface Report {
  readonly written: number;
  readonly failed: number;
  /** When the database went down, in unix milliseconds; undefined while it is up. */
  readonly downSince: number | undefined;
}
