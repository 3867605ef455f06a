import type { QueryResult, Queries } from './read/queries.ts';
import type { LedgerThread } from './thread.ts';

/** An idle thread is ended after this time: it holds 40 MB. */
const IDLE_MS = 60_000;

/** Runs queries in a thread of its own, so that they never hold up a write. */
export class LedgerReader {
  readonly #start: () => Promise<LedgerThread>;
  readonly #idleMs: number;
  #thread: Promise<LedgerThread> | undefined;
  #running = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  /** @param start starts a thread: for the first query, and for the first one after an idle period */
  constructor(start: () => Promise<LedgerThread>, idleMs = IDLE_MS) {
    this.#start = start;
    this.#idleMs = idleMs;
  }

  /** @throws GatewayError KOINE_STORE_FAILED when the thread cannot be started or the query fails */
  async query<Name extends keyof Queries>(
    name: Name,
    parameters: Parameters<Queries[Name]>[1],
  ): Promise<QueryResult<Name>> {
    clearTimeout(this.#idleTimer);
    this.#running += 1;
    try {
      return await (await this.#startOnce()).query(name, parameters);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#idleTimer = setTimeout(() => void this.close(), this.#idleMs).unref();
    }
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    clearTimeout(this.#idleTimer);
    await (await thread)?.close();
  }

  #startOnce(): Promise<LedgerThread> {
    return (this.#thread ??= this.#start().catch((error: unknown) => {
      this.#thread = undefined;
      throw error;
    }));
  }
}
