import { GatewayError, type Clock, type PrimaryLink } from '../../core/api/index.ts';
import type { BudgetAlert } from './budgets/alerts.ts';
import type { ReadBaseline } from './store/baseline-store.ts';
import { MemoryStore } from './store/memory-store.ts';
import type { Account, Baseline, BaselineSpan, LimitStore } from './store/store.ts';

/** What a serving thread sends to the primary instance. What it counts is in memory that they share. */
export type PrimaryMessage =
  | { readonly call: 'memory' }
  | { readonly call: 'gateways' }
  | { readonly call: 'baseline'; readonly account: Account; readonly span: BaselineSpan }
  | { readonly call: 'alert'; readonly alert: BudgetAlert };

/** The primary responds in microseconds. The limit is far longer, so that a busy primary does not cost requests. */
export const PRIMARY_TIMEOUT_MS = 1_000;

/** The main thread can be busy with the start of other workers. */
const MEMORY_TIMEOUT_MS = 30_000;

/** The memory in which all threads count. */
export interface CountsMemory {
  readonly shards: readonly SharedArrayBuffer[];
  /** The thread that asks for it: number of the worker, or 0. */
  readonly worker: number;
  /** Where the clock of the main thread begins, as in {@link originOf}. */
  readonly originMs: number;
}

/** Where a monotonic clock begins on that of the system. Each thread begins anew. Milliseconds. */
export const originOf = ({ monotonic }: Pick<Clock, 'monotonic'>): number =>
  Number(process.hrtime.bigint()) / 1e6 - monotonic();

const askForMemory = async (link: PrimaryLink): Promise<CountsMemory> =>
  (await link.call({ call: 'memory' } satisfies PrimaryMessage, MEMORY_TIMEOUT_MS)) as CountsMemory;

/** Opens the counts of all threads in this one. @throws GatewayError if the main thread does not respond */
export async function openCounts(link: PrimaryLink, clock: Clock): Promise<MemoryStore> {
  const { shards, worker, originMs } = await askForMemory(link);
  return new MemoryStore(clock, shards, { worker, aheadMs: worker === 0 ? 0 : originOf(clock) - originMs });
}

/**
 * The same where no gateway may run, as in `koine check` and `koine explain`.
 * @returns undefined if there is no primary instance
 */
export const openKnownCounts = async (link: PrimaryLink, clock: Clock): Promise<MemoryStore | undefined> => {
  try {
    return await openCounts(link, clock);
  } catch (thrown) {
    if (GatewayError.is(thrown) && thrown.code === 'service_unavailable') return undefined;
    throw thrown;
  }
};

/** The counts where no gateway runs: each look at them fails, and the explanation says so. */
export const createUnknownCounts = (link: PrimaryLink): Pick<LimitStore, 'peek'> => ({
  peek: async () => {
    await askForMemory(link);
    return [];
  },
});

/** Reads a baseline from the ledger, through the main thread. @throws if the ledger does not respond */
export const createReadBaseline =
  (link: PrimaryLink): ReadBaseline =>
  async (account, span) =>
    (await link.call({ call: 'baseline', account, span } satisfies PrimaryMessage, PRIMARY_TIMEOUT_MS)) as Baseline;

/** Sends a budget alert to the main thread, which publishes it once. @throws if it could not */
export const createSendAlert =
  (link: PrimaryLink): ((alert: BudgetAlert) => Promise<unknown>) =>
  async (alert) =>
    link.call({ call: 'alert', alert } satisfies PrimaryMessage, PRIMARY_TIMEOUT_MS);

/** How many gateways share the Redis, as last counted; 0: not known. */
export class GatewayCount {
  readonly #link: PrimaryLink;
  readonly #timer: NodeJS.Timeout;
  #count = 0;

  constructor(link: PrimaryLink) {
    this.#link = link;
    this.#timer = setInterval(() => void this.read(), 1_000).unref();
    void this.read();
  }

  get count(): number {
    return this.#count;
  }

  async read(): Promise<void> {
    try {
      this.#count = Number(await this.#link.call({ call: 'gateways' } satisfies PrimaryMessage, PRIMARY_TIMEOUT_MS));
    } catch {
      // The last count stays.
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
