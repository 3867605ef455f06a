import { expect } from 'chai';
import * as fc from 'fast-check';
import { Worker } from 'node:worker_threads';
import { createMetrics } from '../../../../core/services/metrics/metrics.ts';
import type { SeriesChange } from '../../../../core/services/metrics/series-memory.ts';
import { WorkerSeries } from '../../../../core/services/metrics/worker-series.ts';
import { scrapeMetrics, sumOf } from '../../../support/parse-metrics.ts';
import { until } from '../../../support/until.ts';

/** Runs all promises that are ready. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A worker whose changes reach the main thread in order, when the test says so. */
const createWorker = (series: WorkerSeries, id: number, caps?: Parameters<typeof createMetrics>[0]) => {
  const waiting: { readonly change: SeriesChange; resolve(): void }[] = [];
  const metrics = createMetrics(
    caps,
    (change) => new Promise<void>((resolve) => waiting.push({ change: structuredClone(change), resolve })),
  );
  const deliver = async (): Promise<void> => {
    for (const { change, resolve } of waiting.splice(0)) {
      series.handle(change, id);
      resolve();
    }
    await settle();
  };
  return {
    metrics,
    deliver,
    waiting,
    counter: metrics.counter('c_total', 'c', ['x']),
    gauge: metrics.gauge('g', 'g', ['x'], 'sum'),
    histogram: metrics.histogram('h', 'h', ['x'], [10, 100]),
  };
};
const countOf = async (series: WorkerSeries, name: string, labels?: Record<string, string>): Promise<number> =>
  sumOf(await scrapeMetrics(...series.read()), name, labels);

describe('series of workers', () => {
  it('the main thread reads what a worker counts, without a further message', async () => {
    const series = new WorkerSeries();
    const worker = createWorker(series, 1);
    const [count, show, observe] = [worker.counter, worker.gauge, worker.histogram].map((metric) => metric.bind(['a']));
    await worker.deliver();
    count!(2);
    count!(3);
    show!(7);
    observe!(50);
    observe!(500);
    expect(worker.waiting).to.deep.equal([]);
    expect(series.read()).to.deep.equal([await worker.metrics.snapshot()]);
    expect(await countOf(series, 'c_total', { x: 'a' })).to.equal(5);
    expect([
      await countOf(series, 'g'),
      await countOf(series, 'h_sum'),
      await countOf(series, 'h_count'),
    ]).to.deep.equal([7, 550, 2]);
  });

  it('after any history it reads the same as the worker itself', async () => {
    const act = fc.record({
      what: fc.constantFrom('count', 'count', 'show', 'observe', 'observe', 'drop', 'deliver'),
      label: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      value: fc.nat(200),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
        const series = new WorkerSeries();
        // Some combinations become "other".
        const worker = createWorker(series, 1, { perMetric: 4, total: 10 });
        const held = new Map<string, (value: number) => void>();
        for (const { what, label, value } of acts) {
          if (what === 'deliver') await worker.deliver();
          else if (what === 'drop') worker.metrics.drop(({ x }) => x === label);
          else if (what === 'count') {
            const count = held.get(label) ?? worker.counter.bind([label]);
            held.set(label, count);
            count(value);
          } else if (what === 'show') worker.gauge.bind([label])(value);
          else worker.histogram.bind([label])(value);
        }
        await worker.deliver();
        expect(series.read()).to.deep.equal([await worker.metrics.snapshot()]);
      }),
      { numRuns: 200 },
    );
  });

  it('the slots of a dropped series are used again when the main thread reads it no more, and not before', async () => {
    const series = new WorkerSeries();
    const worker = createWorker(series, 1);
    worker.counter.bind(['gone'])(5);
    await worker.deliver();
    worker.metrics.drop(({ x }) => x === 'gone');
    worker.counter.bind(['next'])(9);
    expect(await countOf(series, 'c_total'), 'the drop has not been read').to.equal(5);
    await worker.deliver();
    expect(await countOf(series, 'c_total')).to.equal(9);
    let chunks = 0;
    for (let round = 0; round < 10_000; round += 1) {
      worker.counter.bind([String(round)])(1);
      worker.histogram.bind([String(round)])(1);
      worker.metrics.drop(({ x }) => x === String(round));
      chunks += worker.waiting.filter(({ change }) => change.kind === 'chunk').length;
      await worker.deliver();
    }
    expect(chunks, 'a bounded memory').to.equal(0);
    worker.histogram.bind(['last'])(1);
    await worker.deliver();
    expect([await countOf(series, 'c_total'), await countOf(series, 'h_count')], 'from zero').to.deep.equal([9, 1]);
  });

  it('the counts of a worker that has ended stay, and its gauges go', async () => {
    const series = new WorkerSeries();
    for (const id of [1, 2, 3]) {
      const worker = createWorker(series, id);
      worker.counter.bind(['a'])(id);
      worker.gauge.bind(['a'])(id);
      worker.histogram.bind(['a'])(id);
      await worker.deliver();
    }
    series.onWorkerExit(1);
    series.onWorkerExit(1);
    series.onWorkerExit(2);
    series.onWorkerExit(99);
    expect(await Promise.all(['c_total', 'h_sum', 'h_count', 'g'].map((name) => countOf(series, name)))).to.deep.equal([
      6, 6, 3, 3,
    ]);
  });

  it('a series that is dropped disappears from the counts of workers that have ended', async () => {
    const main = createMetrics();
    const worker = createWorker(main.workers, 1);
    worker.counter.bind(['kept'])(1);
    worker.counter.bind(['removed'])(1);
    await worker.deliver();
    main.workers.onWorkerExit(1);
    main.drop(({ x }) => x === 'removed');
    expect((await main.snapshot()).find(({ name }) => name === 'c_total')?.series).to.deep.equal([
      { labels: { x: 'kept' }, figures: [1] },
    ]);
  });

  it('the snapshot of the main thread is the sum of its own metrics and those of its workers', async () => {
    const main = createMetrics();
    main.counter('c_total', 'c', ['x']).bind(['a'])(1);
    for (const id of [1, 2]) {
      const worker = createWorker(main.workers, id);
      worker.counter.bind(['a'])(10);
      await worker.deliver();
    }
    expect(sumOf(await scrapeMetrics(await main.snapshot()), 'c_total')).to.equal(21);
  });

  it('a thread in an endless loop is read, and keeps all its counts when it is terminated', async () => {
    const series = new WorkerSeries();
    const done = new Int32Array(new SharedArrayBuffer(4));
    const counts = 100_000;
    const thread = new Worker(new URL('counting-thread.ts', import.meta.url), { workerData: { counts, done } });
    thread.on('message', (change: SeriesChange) => series.handle(change, 1));
    await until('it has counted', () => Atomics.load(done, 0) === 1);
    const read = () => Promise.all(['c_total', 'h_count', 'g'].map((name) => countOf(series, name)));
    await until('its series are known', async () => (await read())[2] !== 0);
    expect(await read()).to.deep.equal([counts, counts, counts - 1]);
    await thread.terminate();
    series.onWorkerExit(1);
    expect(await read()).to.deep.equal([counts, counts, 0]);
  });
});
