import cluster from 'node:cluster';
import {
  definePlugin,
  formatMetrics,
  mergeMetrics,
  METRICS_CONTENT_TYPE,
  readProcessMetrics,
  type MetricsSnapshot,
} from '../../core/index.ts';
import { createExchangeMeters } from './exchange-meters.ts';
import { createExtraLabels } from './extra-labels.ts';
import { createFleet } from './fleet.ts';
import { createGenaiMeters } from './genai-meters.ts';
import { createMonotonicCounters } from './monotonic-counters.ts';
import { startReports } from './report.ts';
import { schema, type MetricsOptions } from './schema.ts';
import { countInBoth, createUpstreamMeters } from './upstream-meters.ts';

/** The number of a process in which both instances live. */
const HERE = 0;

/** Counts exchanges in every process, and gathers and serves what all of them counted in one. */
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
    // Kept across reloads: exchanges that began before one end after it.
    const meters = services.shared(`metrics: meters ${JSON.stringify(options)}`, () => {
      const extra = createExtraLabels(options);
      const upstreams = createUpstreamMeters(services.metrics, extra);
      return {
        exchanges: createExchangeMeters(services.metrics, extra),
        upstreams: options.genaiSemconv ? countInBoth(upstreams, createGenaiMeters(services.metrics)) : upstreams,
      };
    });
    // A process without workers is read where it is asked for: until then prom-client is not loaded.
    const reports = cluster.isWorker ? startReports(services) : undefined;
    return {
      admit: meters.exchanges.begin,
      observe: meters.upstreams.attempt,
      ended: (ended) => {
        meters.exchanges.end(ended);
        meters.upstreams.end(ended);
      },
      ...(reports && { close: reports.stop }),
    };
  },

  primary: (_options, { metrics, shared }) => {
    const fleet = shared('metrics: fleet', createFleet);
    const holdUp = shared('metrics: monotonic counters', createMonotonicCounters);
    return {
      handle: (message, worker) => {
        if (worker === HERE) return false;
        fleet.report(worker, message as MetricsSnapshot);
        return true;
      },
      onWorkerExit: fleet.retire,
      admin: (router) =>
        router.get(
          '/metrics',
          async () => ({
            headers: { 'content-type': METRICS_CONTENT_TYPE },
            body: await formatMetrics(
              holdUp(mergeMetrics([await metrics.snapshot(), await readProcessMetrics(), ...fleet.snapshots()])),
            ),
          }),
          { summary: 'Everything that is counted, for Prometheus.', type: 'text/plain' },
        ),
    };
  },
});
