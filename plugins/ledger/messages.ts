import type { SpoolLimits } from './thread/spool.ts';
import type { Questions } from './read/questions.ts';

/** What a thread of the ledger is started with. */
export interface ThreadSettings {
  readonly url: string;
  /** Absent: it only answers questions. */
  readonly writes?: WriteSettings;
}
export interface WriteSettings {
  /** The id of this process in the ledger. */
  readonly process: string;
  readonly durability: 'batched' | 'strict';
  readonly leaseMs: number;
  readonly spool: SpoolLimits & { readonly path: string };
}
export interface HousekeepingSettings {
  readonly leaseMs: number;
  readonly retentionMs: number;
  readonly usageRetentionMs: number;
  /** Beginning of the names of the files that processes may leave. */
  readonly spoolPath: string;
}

export type ToThread =
  /** Rows to write, as JSON: one at a time is under way. */
  | { readonly kind: 'rows'; readonly text: string }
  /** From now on it looks after what processes leave behind that are gone, and after what is old. */
  | { readonly kind: 'keep-house'; readonly settings: HousekeepingSettings }
  | { readonly kind: 'ask'; readonly id: number; readonly question: keyof Questions; readonly query: unknown }
  /** Writes or spools what is left and ends. */
  | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'ready' }
  /** The database could not be opened. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The rows are in the database (`written`), or wait for it. */
  | { readonly kind: 'taken'; readonly written: boolean }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string }
  | { readonly kind: 'report'; readonly report: Report }
  /** What was spent earlier may be more than was answered so far. */
  | { readonly kind: 'found' }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly fields: object; readonly text: string };

/** What happened since the last report, in rows, and how things stand. */
export interface Report {
  readonly written: { readonly database: number; readonly spool: number };
  readonly failed: { readonly database: number; readonly spool: number };
  /** Rows that wait for the database. */
  readonly waiting: number;
  /** Since when, in unix milliseconds. */
  readonly waitingSince: number | undefined;
}
