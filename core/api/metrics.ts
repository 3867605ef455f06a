/** `koine-gateway/metrics`: the metrics of all workers, merged and written as text, for plugins that export them. */
export { mergeMetrics, retireMetrics } from '../services/metrics/merge.ts';
export { readProcessMetrics } from '../services/metrics/process.ts';
export { formatMetrics, METRICS_CONTENT_TYPE } from '../services/metrics/text.ts';
