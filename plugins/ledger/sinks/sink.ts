import type { SinkRow } from './columns.ts';

/** Where rows are shipped to. */
export interface Sink {
  /**
   * Writes rows. It has had some of them before where a write failed, or its gateway was killed.
   * @throws Error unless all of them are stored for good
   */
  write(rows: readonly SinkRow[]): Promise<void>;
  /** Tries whether rows can be written, without one. @throws Error that says what is wrong */
  check(): Promise<void>;
  close(): Promise<void>;
}
