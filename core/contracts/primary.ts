import type { AdminRouter } from './admin.ts';
import type { SpendingQuery } from './services.ts';

/** The primary instance of a plugin: its hooks in the primary process, once per host. */
export interface PrimaryInstance {
  /**
   * Handles `services.primary.call` of a worker. Messages and results are JSON. A throw is passed on to the worker.
   * @example handle: (message, worker) => counts.reserve(worker, message as Reservation)
   */
  handle?(message: unknown, worker: number): unknown;
  /**
   * Called when a worker process has exited: release what it held.
   * @example onWorkerExit: (worker) => counts.releaseAll(worker)
   */
  onWorkerExit?(worker: number): void;
  /**
   * Adds pages and calls to the admin listener; requests are authenticated before they reach them.
   * @example admin: (router) => router.get('/counts', () => ({ body: counts.list() }))
   */
  admin?(router: AdminRouter): void;
  /**
   * Returns past spending in nano-dollars, for plugins whose counters start empty. At most one plugin has it (the
   * ledger).
   * @example spent: (query) => database.sumOfCosts(query)
   */
  spent?(query: SpendingQuery): Promise<bigint>;
  /**
   * Called when the ledger has found earlier spending, e.g. of a gateway that was killed: results of `services.spent`
   * are outdated.
   * @example onSpendingFound: () => budgets.reloadBaselines()
   */
  onSpendingFound?(): void;
  /**
   * Called at shutdown and after a reload.
   * @example close: () => database.close()
   */
  close?(): Promise<void>;
}
