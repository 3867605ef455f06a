import type { Aggregator, Registry } from 'prom-client';
import type { MetricsSnapshot } from '../../contracts/metrics.ts';
import { readRegistry } from './read-registry.ts';

/** One for the process: each set brings observers of garbage collection and of the event loop that nobody could stop. */
let collected: Promise<Registry> | undefined;

/** Of several processes the worst is shown where prom-client would show their mean, and the oldest start where it would show none. */
const aggregators: Partial<Readonly<Record<Aggregator, Aggregator>>> = { average: 'max', omit: 'min' };

const collectProcess = async (): Promise<Registry> => {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of registry.getMetricsAsArray())
    metric.aggregator = aggregators[metric.aggregator] ?? metric.aggregator;
  return registry;
};

/**
 * What Node and the system say of this process, under the usual names (`process_*`, `nodejs_*`). The event-loop figures are of the time since the
 * last call.
 */
export const readProcessMetrics = async (): Promise<MetricsSnapshot> =>
  readRegistry(await (collected ??= collectProcess()));
