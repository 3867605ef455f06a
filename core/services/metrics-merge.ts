import { AggregatorRegistry, Registry, type PrometheusContentType } from 'prom-client';
import type { MetricsSnapshot } from '../contracts/services.ts';
import { readRegistry } from './metrics-read.ts';

/** Of the text format of Prometheus. */
export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const aggregate = (snapshots: readonly MetricsSnapshot[]): Registry => AggregatorRegistry.aggregate<PrometheusContentType>([...snapshots]);

/** The metrics of several processes as those of one. */
export const mergeMetrics = (snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> => readRegistry(aggregate(snapshots));

/** The metrics of several processes as those of one, in the text format of Prometheus. A metric without values is named all the same. */
export const formatMetrics = (snapshots: readonly MetricsSnapshot[]): Promise<string> => aggregate(snapshots).metrics();

/** What stays of a process that is gone: what it counted, not how it stood. */
export const retireMetrics = (snapshot: MetricsSnapshot): MetricsSnapshot => snapshot.filter(({ type }) => type !== 'gauge');
