import { expect } from 'chai';
import { mergeMetrics, retireMetrics, type GaugeAggregate, type Metrics, type MetricsSnapshot } from '../../../core/index.ts';
import { createMetrics } from '../../../core/services/metrics.ts';

const ofProcess = (fill: (metrics: Metrics) => void): MetricsSnapshot => {
  const metrics = createMetrics();
  fill(metrics);
  return metrics.snapshot();
};
const find = (snapshot: MetricsSnapshot, name: string) => snapshot.find((metric) => metric.name === name);

describe('metrics of several processes', () => {
  const fill =
    (count: number, stands: number) =>
    (metrics: Metrics): void => {
      metrics.counter('c_total', 'c', ['x']).bind(['both'])(count);
      metrics.counter('c_total', 'c', ['x']).bind([`only ${count}`])(1);
      metrics.histogram('h', 'h', [], [1, 2]).bind([])(count);
      for (const aggregate of ['sum', 'max', 'min', 'first'] satisfies GaugeAggregate[]) metrics.gauge(`g_${aggregate}`, 'g', [], aggregate).bind([])(stands);
    };
  const three = [ofProcess(fill(1, 5)), ofProcess(fill(2, 3)), ofProcess(fill(3, 9))];

  it('add counters by their labels', () => {
    expect(find(mergeMetrics(three), 'c_total')?.series).to.deep.equal([
      { values: ['both'], numbers: [6] },
      { values: ['only 1'], numbers: [1] },
      { values: ['only 2'], numbers: [1] },
      { values: ['only 3'], numbers: [1] },
    ]);
  });

  it('add histograms bucket by bucket', () => {
    expect(find(mergeMetrics(three), 'h')?.series).to.deep.equal([{ values: [], numbers: [6, 1, 1, 1] }]);
  });

  for (const [aggregate, value] of [['sum', 17], ['max', 9], ['min', 3], ['first', 5]] as const) {
    it(`make one gauge by ${aggregate}`, () => {
      expect(find(mergeMetrics(three), `g_${aggregate}`)?.series).to.deep.equal([{ values: [], numbers: [value] }]);
    });
  }

  it('are left as they were', () => {
    const before = structuredClone(three);
    mergeMetrics(three);
    expect(three).to.deep.equal(before);
  });

  it('travel as JSON', () => {
    expect(mergeMetrics(JSON.parse(JSON.stringify(three)) as MetricsSnapshot[])).to.deep.equal(mergeMetrics(three));
  });

  it('are told apart where they are asked for with other labels: the first is believed', () => {
    const merged = mergeMetrics([ofProcess((metrics) => metrics.counter('c_total', 'c', ['x']).bind(['a'])(1)), ofProcess((metrics) => metrics.counter('c_total', 'c', ['y']).bind(['a'])(1))]);
    expect(find(merged, 'c_total')).to.deep.include({ labels: ['x'], series: [{ values: ['a'], numbers: [1] }] });
  });

  it('keep of one that is gone what it counted', () => {
    expect(retireMetrics(ofProcess(fill(1, 5))).map(({ name }) => name)).to.deep.equal(['koine_metrics_series_dropped_total', 'c_total', 'h']);
  });
});
