import { expect } from 'chai';
import * as fc from 'fast-check';
import { createMetrics } from '../../../core/services/metrics/metrics.ts';
import { WorkerSnapshots } from '../../../plugins/metrics/worker-snapshots.ts';
import { scrapeMetrics, sumOf } from '../../support/parse-metrics.ts';

/** Reads the metrics as a scrape does, together with those of the main thread. */
const read = async (workers: WorkerSnapshots) => scrapeMetrics(await createMetrics().snapshot(), ...workers.all());

/** A worker with a counter, a histogram and a gauge. */
const createWorker = (workers: WorkerSnapshots, id: number) => {
  const metrics = createMetrics();
  const counter = metrics.counter('c_total', 'c', ['x']);
  const histogram = metrics.histogram('h', 'h', [], [10, 100]);
  const gauge = metrics.gauge('g', 'g', [], 'sum').bind([]);
  return {
    id,
    work: (count: number) => {
      counter.bind([String(count % 3)])(count);
      histogram.bind([])(count);
      gauge(count);
    },
    report: async () => workers.report(id, await metrics.snapshot()),
  };
};

describe('WorkerSnapshots', () => {
  it('keeps the counters of a worker that has exited and drops its gauges', async () => {
    const workers = new WorkerSnapshots();
    const [one, other] = [createWorker(workers, 1), createWorker(workers, 2)];
    one.work(30);
    other.work(12);
    await one.report();
    await other.report();
    const before = await read(workers);
    workers.retire(1);
    const after = await read(workers);
    for (const name of ['c_total', 'h_sum', 'h_count']) expect(sumOf(after, name), name).to.equal(sumOf(before, name));
    expect([sumOf(before, 'g'), sumOf(after, 'g')]).to.deep.equal([42, 12]);
  });

  it('adds up workers that have the same number one after the other', async () => {
    const workers = new WorkerSnapshots();
    for (const count of [5, 6, 7]) {
      const worker = createWorker(workers, 1);
      worker.work(count);
      await worker.report();
      workers.retire(1);
      workers.retire(1);
    }
    expect(sumOf(await read(workers), 'c_total')).to.equal(18);
  });

  it('metrics use the latest snapshot of a worker', async () => {
    const workers = new WorkerSnapshots();
    const worker = createWorker(workers, 1);
    for (const count of [1, 2, 3]) {
      worker.work(count);
      await worker.report();
    }
    expect(sumOf(await read(workers), 'c_total')).to.equal(6);
  });

  it('never lets a counter fall, and loses only what was not reported', async () => {
    const step = fc.record({
      worker: fc.nat(3),
      act: fc.constantFrom('work', 'work', 'report', 'exit'),
      count: fc.nat(200),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const workers = new WorkerSnapshots();
        const slots = [0, 1, 2, 3].map((id) => createWorker(workers, id + 1));
        const unreported = [0, 0, 0, 0];
        let expected = 0;
        let last = 0;
        let lastId = slots.length;
        for (const { worker: slot, act, count } of steps) {
          const worker = slots[slot]!;
          if (act === 'work') {
            worker.work(count);
            unreported[slot]! += count;
          } else if (act === 'report') {
            await worker.report();
            expected += unreported[slot]!;
            unreported[slot] = 0;
          } else {
            workers.retire(worker.id);
            lastId += 1;
            slots[slot] = createWorker(workers, lastId);
            unreported[slot] = 0;
          }
          const families = await read(workers);
          const sum = sumOf(families, 'c_total');
          expect(sum).to.be.at.least(last).and.to.equal(expected);
          expect(sumOf(families, 'h_sum')).to.equal(sum);
          last = sum;
        }
      }),
      { numRuns: 100 },
    );
  });
});
