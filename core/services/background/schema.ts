import type { Migration } from '../database/migrations.ts';

/** Background responses: those that are not settled, and for 30 days those that are. Times are Unix milliseconds. */
export interface BackgroundTable {
  /** The id that the vendor has given it. */
  readonly response: string;
  /** Digest of organization and project. */
  readonly owner: string;
  readonly provider: string;
  readonly credential: string;
  /** JSON of the exchange, without text of its prompt; empty once it is settled. */
  readonly exchange: string;
  readonly created_at: number;
  /** 0: its request is open. 1: it is followed. 2: it is being settled. 3: it is settled. */
  readonly state: number;
  /** The process that follows it. */
  readonly holder: string;
  /** From then on, by the clock of the database, another process takes it over. */
  readonly expires_at: number;
}

export const backgroundMigration: Migration = {
  name: '015-background-responses',
  sql: ({ text, integer, strict }) => [
    `CREATE TABLE background_responses (
      response ${text} PRIMARY KEY,
      owner ${text} NOT NULL,
      provider ${text} NOT NULL,
      credential ${text} NOT NULL,
      exchange ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      state ${integer} NOT NULL,
      holder ${text} NOT NULL,
      expires_at ${integer} NOT NULL
    ) ${strict}`,
    'CREATE INDEX background_responses_open ON background_responses (expires_at) WHERE state < 3',
    'CREATE INDEX background_responses_created ON background_responses (created_at)',
  ],
};
