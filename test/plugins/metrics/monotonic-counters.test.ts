import { expect } from 'chai';
import { createMetrics } from '../../../core/services/metrics/metrics.ts';
import { WorkerSnapshots } from '../../../plugins/metrics/worker-snapshots.ts';
import { createMonotonicCounters } from '../../../plugins/metrics/monotonic-counters.ts';
import type { MetricsSnapshot } from '../../../core/api/index.ts';
import { mergeMetrics } from '../../../core/api/metrics.ts';

const of = (type: string, ...figures: readonly number[]): MetricsSnapshot => [
  { name: 'm', help: 'm', type, aggregator: 'sum', series: [{ labels: {}, figures }] },
];
const figuresOf = ([metric]: MetricsSnapshot): readonly number[] => metric?.series[0]?.figures ?? [];

describe('createMonotonicCounters', () => {
  it('keeps a sum of fractions when a worker exits and the order of its terms changes', async () => {
    const workers = new WorkerSnapshots();
    const keepMonotonic = createMonotonicCounters();
    for (const [worker, value] of [
      [1, 0.1],
      [2, 0.2],
      [3, 0.3],
    ] as const) {
      const metrics = createMetrics();
      metrics.counter('c_total', 'c', []).bind([])(value);
      workers.report(worker, await metrics.snapshot());
    }
    const shown = () =>
      figuresOf(keepMonotonic(mergeMetrics(workers.all()).filter(({ name }) => name === 'c_total')))[0];
    expect(shown()).to.equal(0.1 + 0.2 + 0.3);
    workers.retire(2);
    workers.retire(3);
    expect(figuresOf(mergeMetrics(workers.all()).filter(({ name }) => name === 'c_total'))[0])
      .to.equal(0.1 + (0.2 + 0.3))
      .and.be.below(0.1 + 0.2 + 0.3);
    expect(shown()).to.equal(0.1 + 0.2 + 0.3);
  });

  it('passes rises and falls beyond a rounding error through', () => {
    const keepMonotonic = createMonotonicCounters();
    expect(
      [of('counter', 5), of('counter', 6), of('counter', 2)].map((one) => figuresOf(keepMonotonic(one))[0]),
    ).to.deep.equal([5, 6, 2]);
    expect(
      [of('histogram', 1, 2, 0.5), of('histogram', 1, 2, 0.499_999_999_999)].map((one) =>
        figuresOf(keepMonotonic(one)),
      ),
    ).to.deep.equal([
      [1, 2, 0.5],
      [1, 2, 0.5],
    ]);
  });

  it('monotonic counters leave gauges unchanged', () => {
    const keepMonotonic = createMonotonicCounters();
    expect([of('gauge', 1), of('gauge', 1 - 1e-12)].map((one) => figuresOf(keepMonotonic(one))[0])).to.deep.equal([
      1,
      1 - 1e-12,
    ]);
  });
});
