import type { MetricsSnapshot, Services } from '../../core/api/index.ts';
import { readProcessMetrics } from '../../core/api/metrics.ts';
import type { TenantNames } from './tenant-names.ts';

/**
 * What a worker sends to the main thread, which reads its other metrics itself. The response is the names of all
 * tenants; `false`: not wanted.
 */
export interface WorkerReport {
  /** Those of Node, which only the thread itself can read. Absent: as in the last report. */
  readonly node?: MetricsSnapshot;
  /** Tenants that have a name in this worker. */
  readonly tenants: readonly string[];
}

/** How often names of tenants are exchanged, if they are labels. */
const REPORT_MS = 1_000;
/** Metrics of Node are read every fifth time. */
const REPORTS_PER_NODE_READ = 5;

type UsedServices = Pick<Services, 'primary' | 'log'>;

/** Reports the metrics of Node in this worker, and the names of its tenants, to the main thread. */
export class WorkerReports {
  readonly #services: UsedServices;
  readonly #tenants: Pick<TenantNames, 'list' | 'adopt'> | undefined;
  readonly #timer: NodeJS.Timeout;
  #count = 0;
  #isPending = false;
  /** The last report failed, and the failure is logged. */
  #hasFailed = false;

  /** @param tenants absent: they are no labels */
  constructor(services: UsedServices, tenants: Pick<TenantNames, 'list' | 'adopt'> | undefined) {
    this.#services = services;
    this.#tenants = tenants;
    this.#timer = setInterval(() => void this.#tick(), REPORT_MS).unref();
  }

  /** Sends a last report. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#report(true);
  }

  async #tick(): Promise<void> {
    if (this.#isPending) return;
    const readsNode = this.#count % REPORTS_PER_NODE_READ === 0;
    this.#count += 1;
    if (!readsNode && this.#tenants === undefined) return;
    this.#isPending = true;
    await this.#report(readsNode);
    this.#isPending = false;
  }

  async #report(readsNode: boolean): Promise<void> {
    const { primary, log } = this.#services;
    const tenants = this.#tenants?.list() ?? [];
    try {
      const report: WorkerReport = readsNode ? { node: await readProcessMetrics(), tenants } : { tenants };
      const named = (await primary.call(report, REPORT_MS)) as readonly string[] | false;
      // The primary instance is in this thread and reads its metrics directly.
      if (named === false) clearInterval(this.#timer);
      else this.#tenants?.adopt(named);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) log.warn({ error }, 'the metrics of this worker could not be reported');
      this.#hasFailed = true;
    }
  }
}
