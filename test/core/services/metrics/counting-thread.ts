import { parentPort, workerData } from 'node:worker_threads';
import { createMetrics } from '../../../../core/services/metrics/metrics.ts';

/** Counts, says so, and never ends by itself. */
const { counts, done } = workerData as { readonly counts: number; readonly done: Int32Array };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
const metrics = createMetrics(undefined, async (change) => parentPort?.postMessage(change));
const count = metrics.counter('c_total', 'c', ['x']).bind(['one']);
const observe = metrics.histogram('h', 'h', [], [10, 100]).bind([]);
const show = metrics.gauge('g', 'g', [], 'sum').bind([]);
for (let index = 0; index < counts; index += 1) {
  count(1);
  observe(index % 200);
  show(index);
}
Atomics.store(done, 0, 1);
for (;;);
