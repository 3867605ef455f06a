import { mergeMetrics } from '../../core/services/metrics/merge.ts';
import { formatMetrics } from '../../core/services/metrics/text.ts';
import { createMetrics } from '../../core/services/metrics/metrics.ts';

/**
 * CPU time of one scrape: metrics of workers, read in their memory, merged and written.
 * `node tools/bench/scrape.ts [lines] [workers]`
 */
const [wanted = 10_000, workers = 4] = process.argv.slice(2).map(Number);
const BUCKETS = Array.from({ length: 17 }, (_, step) => 0.01 * 2 ** step);
const ROUNDS = 30;

const main = createMetrics();
for (let worker = 1; worker <= workers; worker += 1) {
  const metrics = createMetrics({ perMetric: 1e6, total: 1e6 }, async (change) => main.workers.handle(change, worker));
  const histogram = metrics.histogram(
    'bench_duration_seconds',
    'Lines as the gateway has most of.',
    ['provider', 'model', 'outcome'],
    BUCKETS,
  );
  for (let line = 0; line < wanted; line += BUCKETS.length + 3)
    histogram.bind(['provider', `house/model-${line}`, 'ok'])(line / wanted);
}

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

const lines = formatMetrics(await main.snapshot()).split('\n').length;
console.log(`${lines} lines of each of ${workers} workers`);
await measure('read and merged', () => main.snapshot());
await measure('read, merged and written', async () => formatMetrics(mergeMetrics([await main.snapshot()])));
