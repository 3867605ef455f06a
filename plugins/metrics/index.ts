import cluster from 'node:cluster';
import { definePlugin, type MetricsSnapshot } from '../../core/api/index.ts';
import { formatMetrics, mergeMetrics, METRICS_CONTENT_TYPE, readProcessMetrics } from '../../core/api/metrics.ts';
import { createExchangeMeters } from './exchange-meters.ts';
import { createExtraLabels } from './extra-labels.ts';
import { createGenaiMeters } from './genai-meters.ts';
import { createMonotonicCounters } from './monotonic-counters.ts';
import { schema, type MetricsOptions } from './schema.ts';
import { combineMeters, createUpstreamMeters } from './upstream-meters.ts';
import { WorkerReports } from './worker-reports.ts';
import { WorkerSnapshots } from './worker-snapshots.ts';

/** The worker number of a process that has the primary instance as well. */
const PRIMARY_PROCESS = 0;

/** Counts exchanges in every process; the primary process merges and serves the counts. */
export default definePlugin<MetricsOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'metrics',
  init: {
    position: 10,
    comment:
      'Counts and times everything: GET /metrics on the admin listener. First, so that it sees what the others refuse.',
  },
  schema,

  create: (options, services) => {
    // Shared across reloads: exchanges that began before a reload end after it.
    const meters = services.shared(`metrics: meters ${JSON.stringify(options)}`, () => {
      const extra = createExtraLabels(options);
      const upstreams = createUpstreamMeters(services.metrics, extra);
      return {
        exchanges: createExchangeMeters(services.metrics, extra),
        upstreams: options.genaiSemconv ? combineMeters(upstreams, createGenaiMeters(services.metrics)) : upstreams,
      };
    });
    // Without workers, the primary instance reads this process directly, and prom-client is loaded with the first
    // scrape.
    const reports = cluster.isWorker ? new WorkerReports(services) : undefined;
    return {
      admit: meters.exchanges.begin,
      observe: meters.upstreams.attempt,
      ended: (ended) => {
        meters.exchanges.end(ended);
        meters.upstreams.end(ended);
      },
      ...(reports && { close: () => reports.stop() }),
    };
  },

  primary: (_options, { metrics, shared }) => {
    const workers = shared('metrics: workers', () => new WorkerSnapshots());
    const keepMonotonic = shared('metrics: monotonic counters', createMonotonicCounters);
    return {
      handle: (message, worker) => {
        if (worker === PRIMARY_PROCESS) return false;
        workers.report(worker, message as MetricsSnapshot);
        return true;
      },
      onWorkerExit: (worker) => workers.retire(worker),
      admin: (router) =>
        router.get(
          '/metrics',
          async () => ({
            headers: { 'content-type': METRICS_CONTENT_TYPE },
            body: await formatMetrics(
              keepMonotonic(mergeMetrics([await metrics.snapshot(), await readProcessMetrics(), ...workers.all()])),
            ),
          }),
          { summary: 'All metrics in the text format of Prometheus.', type: 'text/plain' },
        ),
    };
  },
});
