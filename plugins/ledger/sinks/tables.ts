/** The sinks of the configuration that rows are noted for. Times are by the clock of the database. */
export interface SinksTable {
  readonly name: string;
  /** The process that ships its rows while it has a lease: an id of `ledger_processes`. */
  readonly process: string;
  /** When a gateway last had it in its configuration. */
  readonly seen_at: number;
  /** Rows that are older than the sink: shipped up to and including this id, empty for none. null: all are. */
  readonly history_from: string | null;
  /** The last id of them. */
  readonly history_to: string;
}

/** Rows that a sink does not have yet, written by triggers of `ledger` in the transaction of the rows. */
export interface UnshippedTable {
  readonly sink: string;
  /** Its time and random digits: tokens are in the order of their times, and no two are equal. */
  readonly token: string;
  /** Ids of rows, in ascending order, separated by spaces. */
  readonly ids: string;
  /** By the clock of the database. */
  readonly written_at: number;
}
