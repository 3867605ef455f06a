import type { Registry } from 'prom-client';
import type { MetricsSnapshot } from '../contracts/services.ts';

/** What a registry holds, as a snapshot that stays as it is. Left out is what JSON cannot carry: of the event loop a mean of nothing. */
export const readRegistry = async (registry: Registry): Promise<MetricsSnapshot> =>
  (await registry.getMetricsAsJSON()).map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    // Typed as a number by prom-client, and a word.
    type: String(type),
    aggregator,
    values: values.filter(({ value }) => Number.isFinite(value)).map((one) => ({ ...one })),
  }));
