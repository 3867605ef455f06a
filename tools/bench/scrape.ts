import { mergeMetrics } from '../../core/services/metrics/merge.ts';
import { formatMetrics } from '../../core/services/metrics/text.ts';
import { createMetrics } from '../../core/services/metrics/metrics.ts';
import type { MetricsSnapshot } from '../../core/contracts/services.ts';

/** CPU time of one scrape: metrics in memory, merged and written. `node tools/bench/scrape.ts [lines] [processes]` */
const [wanted = 10_000, processes = 4] = process.argv.slice(2).map(Number);
const BUCKETS = Array.from({ length: 17 }, (_, step) => 0.01 * 2 ** step);
const ROUNDS = 30;

const metrics = createMetrics({ perMetric: 1e6, total: 1e6 });
const histogram = metrics.histogram(
  'bench_duration_seconds',
  'Lines as the gateway has most of.',
  ['provider', 'model', 'outcome'],
  BUCKETS,
);
for (let line = 0; line < wanted; line += BUCKETS.length + 3)
  histogram.bind(['provider', `house/model-${line}`, 'ok'])(line / wanted);

const percentile = (times: readonly number[], share: number): string =>
  (times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0).toFixed(1);
const measure = async (what: string, run: () => unknown): Promise<void> => {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const since = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(since);
    times.push((user + system) / 1_000);
  }
  console.log(`${what}: p50 ${percentile(times, 0.5)} ms, p95 ${percentile(times, 0.95)} ms`);
};

const own = await metrics.snapshot();
const lines = formatMetrics(own).split('\n').length;
const travelled = JSON.stringify(own);
const snapshots = Array.from({ length: processes }, () => JSON.parse(travelled) as MetricsSnapshot);
console.log(`${lines} lines of each of ${processes} processes, ${(travelled.length / 1e6).toFixed(1)} MB a report`);
await measure('a snapshot of one process', () => metrics.snapshot());
await measure('a report as it arrives', () => JSON.parse(travelled));
await measure('merged and written', () => formatMetrics(mergeMetrics(snapshots)));
