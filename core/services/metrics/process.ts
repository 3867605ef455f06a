import { isMainThread } from 'node:worker_threads';
import type { Aggregator, Registry } from 'prom-client';
import type { MetricsSnapshot } from '../../contracts/services.ts';
import { readRegistry } from './read-registry.ts';

/**
 * One registry per thread: each one starts observers of garbage collection and the event loop that cannot be stopped.
 */
let collected: Promise<Registry> | undefined;

/**
 * prom-client would merge some of these as a mean and omit the start time. Here the worst value is shown, and the
 * oldest start.
 */
const aggregators: Partial<Readonly<Record<Aggregator, Aggregator>>> = { average: 'max', omit: 'min' };

const collectProcess = async (): Promise<Registry> => {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of registry.getMetricsAsArray())
    metric.aggregator = aggregators[metric.aggregator] ?? metric.aggregator;
  return registry;
};

/** prom-client ends these gauges with `_total`, which belongs to counters: promtool reports it. */
const renamed: Readonly<Record<string, string>> = {
  nodejs_active_resources_total: 'nodejs_active_resources_all',
  nodejs_active_handles_total: 'nodejs_active_handles_all',
  nodejs_active_requests_total: 'nodejs_active_requests_all',
};

/**
 * Metrics of this thread from Node (`nodejs_*`), and in the main thread those of the process (`process_*`). The
 * event-loop metrics cover the time since the last call.
 */
export const readProcessMetrics = async (): Promise<MetricsSnapshot> =>
  (await readRegistry(await (collected ??= collectProcess())))
    .filter(({ name }) => isMainThread || !name.startsWith('process_'))
    .map((metric) => ({ ...metric, name: renamed[metric.name] ?? metric.name }));
