import type { SpoolLimits } from './thread/spool.ts';
import type { Queries } from './read/queries.ts';

/** `workerData` of a ledger thread. */
export interface ThreadSettings {
  readonly url: string;
  /** Absent: the thread only runs queries. */
  readonly writes?: WriteSettings;
}
export interface WriteSettings {
  /** Id of this process in the ledger. */
  readonly process: string;
  readonly durability: 'batched' | 'strict';
  readonly leaseMs: number;
  readonly spool: SpoolLimits & { readonly path: string };
}
export interface HousekeepingSettings {
  readonly leaseMs: number;
  readonly retentionMs: number;
  readonly usageRetentionMs: number;
  /** Common prefix of the spool files of all processes. */
  readonly spoolPath: string;
}

export type ToThread =
  /** Rows to write, as JSON. The next message is sent after the `accepted` of this one. */
  | { readonly kind: 'rows'; readonly text: string }
  /** Starts housekeeping: open rows and spool files of dead processes, and expired rows. */
  | { readonly kind: 'housekeeping'; readonly settings: HousekeepingSettings }
  | { readonly kind: 'query'; readonly id: number; readonly name: keyof Queries; readonly parameters: unknown }
  /** Writes or spools the remaining rows, then ends the thread. */
  | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'ready' }
  /** The database could not be opened. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The rows are in the database (`written`), or are kept until they can be written. */
  | { readonly kind: 'accepted'; readonly written: boolean }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'query-failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'report'; readonly report: Report }
  /** Earlier results of `spent` may have been too low. */
  | { readonly kind: 'spending-changed' }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly fields: object; readonly text: string };

/** Rows written and failed since the previous report, and rows that wait now. */
export interface Report {
  readonly written: { readonly database: number; readonly spool: number };
  readonly failed: { readonly database: number; readonly spool: number };
  /** Rows that wait for the database. */
  readonly waiting: number;
  /** When the database went down, in unix milliseconds; undefined while it is up. */
  readonly waitingSince: number | undefined;
}
