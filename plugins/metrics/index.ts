import { isMainThread } from 'node:worker_threads';
import { definePlugin } from '../../core/api/index.ts';
import { formatMetrics, mergeMetrics, METRICS_CONTENT_TYPE, readProcessMetrics } from '../../core/api/metrics.ts';
import { createExchangeMeters } from './exchange-meters.ts';
import { createGenaiMeters } from './genai-meters.ts';
import { createMonotonicCounters } from './monotonic-counters.ts';
import { readInFlight, readTotals, selectRates } from './rate-totals.ts';
import { ratesSchema, startRates, STEP_MS } from './recent-rates.ts';
import { schema, type MetricsOptions } from './schema.ts';
import { createTenantMeters } from './tenant-meters.ts';
import { TenantNames } from './tenant-names.ts';
import { combineMeters, createUpstreamMeters } from './upstream-meters.ts';
import { WorkerReports, type WorkerReport } from './worker-reports.ts';
import { WorkerSnapshots } from './worker-snapshots.ts';

/** The worker number of the thread that has the primary instance as well. */
const MAIN_THREAD = 0;

/** Counts exchanges in every thread; the main thread reads, merges and serves the counts. */
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
      const upstreams = createUpstreamMeters(services.metrics);
      const tenants = new TenantNames(options.maxValues, isMainThread);
      return {
        exchanges: createExchangeMeters(services.metrics),
        tenants,
        countTenant:
          options.labels.length > 0 ? createTenantMeters(services.metrics, options.labels, tenants) : undefined,
        upstreams: options.genaiSemconv ? combineMeters(upstreams, createGenaiMeters(services.metrics)) : upstreams,
      };
    });
    // Without workers, the primary instance reads this thread directly, and prom-client is loaded with the first
    // scrape.
    const reports = isMainThread ? undefined : new WorkerReports(services, meters.countTenant && meters.tenants);
    return {
      admit: meters.exchanges.begin,
      observe: meters.upstreams.attempt,
      ended: (ended) => {
        meters.exchanges.end(ended);
        meters.upstreams.end(ended);
        meters.countTenant?.(ended);
      },
      ...(reports && { close: () => reports.stop() }),
    };
  },

  primary: (_options, { metrics, shared, clock }) => {
    const workers = shared('metrics: workers', () => new WorkerSnapshots());
    const tenants = shared('metrics: tenants', () => new Set<string>());
    const readRates = async () => selectRates(await metrics.snapshot());
    const rates = shared(
      'metrics: recent rates',
      () => startRates(async () => readTotals(await readRates()), clock),
      (unused) => unused.stop(),
    );
    const keepMonotonic = shared('metrics: monotonic counters', createMonotonicCounters);
    return {
      handle: (message, worker) => {
        if (worker === MAIN_THREAD) return false;
        const report = message as WorkerReport;
        if (report.node !== undefined) workers.report(worker, report.node);
        for (const tenant of report.tenants) tenants.add(tenant);
        return [...tenants];
      },
      onWorkerExit: (worker) => workers.retire(worker),
      admin: (router) => {
        router.get(
          '/admin/rates',
          async () => ({
            body: { stepSeconds: STEP_MS / 1_000, inFlight: readInFlight(await readRates()), rates: rates.list() },
          }),
          {
            summary: 'What was counted in each ten seconds of the last 15 minutes, oldest first.',
            answer: ratesSchema,
          },
        );
        router.get(
          '/metrics',
          async () => ({
            headers: { 'content-type': METRICS_CONTENT_TYPE },
            body: await formatMetrics(
              keepMonotonic(mergeMetrics([await metrics.snapshot(), await readProcessMetrics(), ...workers.all()])),
            ),
          }),
          { summary: 'All metrics in the text format of Prometheus.', type: 'text/plain' },
        );
      },
    };
  },
});
