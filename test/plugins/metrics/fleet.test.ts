import { expect } from 'chai';
import * as fc from 'fast-check';
import { createMetrics } from '../../../core/services/metrics/metrics.ts';
import { createFleet, type Fleet } from '../../../plugins/metrics/fleet.ts';
import { scrapeMetrics, sumOf } from '../../support/parse-metrics.ts';

/** As a scrape does: beside the figures of the primary itself. */
const read = async (fleet: Fleet) => scrapeMetrics(await createMetrics().snapshot(), ...fleet.snapshots());

/** A worker that counts. */
const createWorker = (fleet: Fleet, id: number) => {
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
    report: async () => fleet.report(id, await metrics.snapshot()),
  };
};

describe('metrics: a fleet of workers', () => {
  it('keeps what a worker counted when it is gone, and forgets how it stood', async () => {
    const fleet = createFleet();
    const [one, other] = [createWorker(fleet, 1), createWorker(fleet, 2)];
    one.work(30);
    other.work(12);
    await one.report();
    await other.report();
    const before = await read(fleet);
    fleet.retire(1);
    const after = await read(fleet);
    for (const name of ['c_total', 'h_sum', 'h_count']) expect(sumOf(after, name), name).to.equal(sumOf(before, name));
    expect([sumOf(before, 'g'), sumOf(after, 'g')]).to.deep.equal([42, 12]);
  });

  it('counts on where another takes the number of one that is gone', async () => {
    const fleet = createFleet();
    for (const count of [5, 6, 7]) {
      const worker = createWorker(fleet, 1);
      worker.work(count);
      await worker.report();
      fleet.retire(1);
      fleet.retire(1);
    }
    expect(sumOf(await read(fleet), 'c_total')).to.equal(18);
  });

  it('believes the latest of a worker', async () => {
    const fleet = createFleet();
    const worker = createWorker(fleet, 1);
    for (const count of [1, 2, 3]) {
      worker.work(count);
      await worker.report();
    }
    expect(sumOf(await read(fleet), 'c_total')).to.equal(6);
  });

  it('never shows a counter fall, and loses only what was not reported', async () => {
    const step = fc.record({
      worker: fc.nat(3),
      act: fc.constantFrom('work', 'work', 'report', 'die'),
      count: fc.nat(200),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const fleet = createFleet();
        const workers = [0, 1, 2, 3].map((id) => createWorker(fleet, id + 1));
        const unreported = [0, 0, 0, 0];
        let expected = 0;
        let last = 0;
        let born = workers.length;
        for (const { worker: place, act, count } of steps) {
          const worker = workers[place]!;
          if (act === 'work') {
            worker.work(count);
            unreported[place]! += count;
          } else if (act === 'report') {
            await worker.report();
            expected += unreported[place]!;
            unreported[place] = 0;
          } else {
            fleet.retire(worker.id);
            born += 1;
            workers[place] = createWorker(fleet, born);
            unreported[place] = 0;
          }
          const families = await read(fleet);
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
