import { readProcessMetrics, type MetricsSnapshot, type Services } from '../../core/index.ts';

/** How often a worker reports: what a kill -9 may lose. */
const REPORT_MS = 1_000;
/** Every so many reports the process is looked at anew: its event-loop figures are then of that time. */
const REPORTS_PER_PROCESS_READ = 5;

export interface Reports {
  /** A last report, of everything. */
  stop(): Promise<void>;
}

/**
 * Reports what this process has counted to the primary instance, every second and at the end. Where both instances live in one process, the first
 * answer says that no reports are needed.
 */
export function startReports({ metrics, primary, log }: Pick<Services, 'metrics' | 'primary' | 'log'>): Reports {
  let ofProcess: MetricsSnapshot = [];
  let reports = 0;
  let isPending = false;
  let isLost = false;

  const report = async (): Promise<void> => {
    if (reports % REPORTS_PER_PROCESS_READ === 0) ofProcess = await readProcessMetrics();
    reports += 1;
    const wanted = await primary.call([...(await metrics.snapshot()), ...ofProcess], REPORT_MS);
    if (wanted === false) clearInterval(timer);
    isLost = false;
  };
  /** Said once, not every second. */
  const noteLoss = (error: unknown): void => {
    if (!isLost) log.warn({ error }, 'the metrics of this worker could not be reported');
    isLost = true;
  };
  const beat = (): void => {
    if (isPending) return;
    isPending = true;
    void report()
      .catch(noteLoss)
      .finally(() => {
        isPending = false;
      });
  };
  const timer = setInterval(beat, REPORT_MS).unref();

  return {
    stop: () => {
      clearInterval(timer);
      return report().catch(noteLoss);
    },
  };
}
