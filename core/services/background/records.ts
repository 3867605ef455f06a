import type { Caller } from '../../contracts/caller.ts';
import { type Database, sql, type SqlBool } from '../database/database.ts';
import { nowOf } from '../database/dialect.ts';
import { digestOwner, KEEP_MS, type StateLocation } from '../vendor-state/records.ts';

/** A claim that is not renewed for this long has expired: its process has died. */
const CLAIM_MS = 10_000;
/** Most records that one process claims at once. */
const MOST_CLAIMED = 100;

const states = { requested: 0, followed: 1, settling: 2, settled: 3 } as const;

export interface BackgroundRecord extends StateLocation {
  /** The id that the vendor has given it. */
  readonly response: string;
  /** JSON of the exchange; empty once it is settled. */
  readonly exchange: string;
}

/** The background responses of all gateways with this database, and which process follows each. */
export class BackgroundRecords {
  readonly #database: Database;
  /** Names this process, and this configuration of it. */
  readonly #holder: string;
  readonly #claimMs: number;

  constructor(database: Database, holder: string, claimMs = CLAIM_MS) {
    this.#database = database;
    this.#holder = holder;
    this.#claimMs = claimMs;
  }

  /** Adds a response whose request is open, claimed by this process. @param now unix milliseconds */
  async add(record: BackgroundRecord, caller: Caller, now: number): Promise<void> {
    await this.#database
      .insertInto('background_responses')
      .values({
        ...record,
        owner: digestOwner(caller),
        created_at: now,
        state: states.requested,
        holder: this.#holder,
        expires_at: this.#end,
      })
      .onConflict((conflict) => conflict.column('response').doNothing())
      .execute();
  }

  /** Its request has ended: the first that sees its end settles it. */
  async follow(response: string): Promise<void> {
    await this.#own.set({ state: states.followed }).where('response', '=', response).where('state', '=', 0).execute();
  }

  /** Where a response of this project is; undefined: there is none. */
  async findLocation(caller: Caller, response: string): Promise<StateLocation | undefined> {
    return await this.#database
      .selectFrom('background_responses')
      .select(['provider', 'credential'])
      .where('response', '=', response)
      .where('owner', '=', digestOwner(caller))
      .executeTakeFirst();
  }

  /** A response that is followed by any process; undefined: there is none. */
  async findOpen(response: string): Promise<BackgroundRecord | undefined> {
    return await this.#database
      .selectFrom('background_responses')
      .select(['response', 'provider', 'credential', 'exchange'])
      .where('response', '=', response)
      .where('state', '<', states.settled)
      .executeTakeFirst();
  }

  /**
   * Takes a response that has ended, to settle it, also from the process that follows it. One caller gets it.
   * @returns whether this caller has it
   */
  async take(response: string): Promise<boolean> {
    const taken = await sql`
      UPDATE background_responses SET state = ${states.settling}, holder = ${this.#holder}, expires_at = ${this.#end}
      WHERE response = ${response} AND (
        state = ${states.followed}
        OR (state = ${states.requested} AND holder = ${this.#holder})
        OR (state < ${states.settled} AND expires_at <= ${nowOf(this.#database)}))
      RETURNING response`.execute(this.#database);
    return taken.rows.length > 0;
  }

  /** It is settled, and its row is with the operating system. */
  async conclude(response: string): Promise<void> {
    await this.#own.set({ state: states.settled, exchange: '' }).where('response', '=', response).execute();
  }

  /** Renews the claims of this process. @returns the responses that it still has */
  async renew(): Promise<ReadonlySet<string>> {
    const rows = await this.#own
      .set({ expires_at: this.#end })
      .where('state', '<', states.settling)
      .returning('response')
      .execute();
    return new Set(rows.map(({ response }) => response));
  }

  /** Takes over what processes followed that have died, and what was not settled. */
  async claim(): Promise<readonly BackgroundRecord[]> {
    const now = nowOf(this.#database);
    // Reading does not block the other writers of SQLite. Mostly there is nothing to claim.
    const expired = await this.#database
      .selectFrom('background_responses')
      .select('response')
      // Literally, for its index.
      .where(sql<SqlBool>`state < 3`)
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(MOST_CLAIMED)
      .execute();
    if (expired.length === 0) return [];
    return await this.#database
      .updateTable('background_responses')
      .set({ state: states.followed, holder: this.#holder, expires_at: this.#end })
      .where(
        'response',
        'in',
        expired.map(({ response }) => response),
      )
      .where('state', '<', states.settled)
      .where('expires_at', '<=', now)
      .returning(['response', 'provider', 'credential', 'exchange'])
      .execute();
  }

  /** Lets other processes take over at once. */
  async release(): Promise<void> {
    await this.#own.set({ expires_at: 0 }).where('state', '<', states.settled).execute();
  }

  /** Deletes what was settled long ago. @param now unix milliseconds */
  async prune(now: number): Promise<void> {
    await this.#database
      .deleteFrom('background_responses')
      .where('created_at', '<', now - KEEP_MS)
      .where('state', '=', states.settled)
      .execute();
  }

  get #own() {
    return this.#database.updateTable('background_responses').where('holder', '=', this.#holder);
  }

  get #end() {
    return sql<number>`${nowOf(this.#database)} + CAST(${this.#claimMs} AS BIGINT)`;
  }
}
