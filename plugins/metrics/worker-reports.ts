import type { MetricsSnapshot, Services } from '../../core/api/index.ts';
import { readProcessMetrics } from '../../core/api/metrics.ts';
import type { TenantNames } from './tenant-names.ts';

/** What a worker sends to the main thread. The response is the names of all tenants; `false`: not wanted. */
export interface WorkerReport {
  readonly metrics: MetricsSnapshot;
  /** Tenants that have a name in this worker. */
  readonly tenants: readonly string[];
}

/** Interval of the reports: a worker that is terminated loses what it counted since the last one. */
const REPORT_MS = 1_000;
/** Metrics of Node are read with every fifth report. */
const REPORTS_PER_NODE_READ = 5;

/** Reports the metrics of this worker to the main thread. */
export class WorkerReports {
  readonly #services: Pick<Services, 'metrics' | 'primary' | 'log'>;
  readonly #tenants: Pick<TenantNames, 'list' | 'adopt'>;
  readonly #timer: NodeJS.Timeout;
  #nodeMetrics: MetricsSnapshot = [];
  #count = 0;
  #isPending = false;
  /** The last report failed, and the failure is logged. */
  #hasFailed = false;

  constructor(services: Pick<Services, 'metrics' | 'primary' | 'log'>, tenants: Pick<TenantNames, 'list' | 'adopt'>) {
    this.#services = services;
    this.#tenants = tenants;
    this.#timer = setInterval(() => void this.#tick(), REPORT_MS).unref();
  }

  /** Sends a last report. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#report();
  }

  async #tick(): Promise<void> {
    if (this.#isPending) return;
    this.#isPending = true;
    await this.#report();
    this.#isPending = false;
  }

  async #report(): Promise<void> {
    const { metrics, primary, log } = this.#services;
    try {
      if (this.#count % REPORTS_PER_NODE_READ === 0) this.#nodeMetrics = await readProcessMetrics();
      this.#count += 1;
      const snapshot = [...(await metrics.snapshot()), ...this.#nodeMetrics];
      const report: WorkerReport = { metrics: snapshot, tenants: this.#tenants.list() };
      const tenants = (await primary.call(report, REPORT_MS)) as readonly string[] | false;
      // The primary instance is in this thread and reads its metrics directly.
      if (tenants === false) clearInterval(this.#timer);
      else this.#tenants.adopt(tenants);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) log.warn({ error }, 'the metrics of this worker could not be reported');
      this.#hasFailed = true;
    }
  }
}
