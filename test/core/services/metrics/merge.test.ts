import { expect } from 'chai';
import type { GaugeAggregate, Metrics, MetricsSnapshot } from '../../../../core/api/index.ts';
import { mergeMetrics, retireMetrics } from '../../../../core/api/metrics.ts';
import { createMetrics } from '../../../../core/services/metrics/metrics.ts';
import { scrapeMetrics } from '../../../support/parse-metrics.ts';

const ofProcess = (fill: (metrics: Metrics) => void): Promise<MetricsSnapshot> => {
  const metrics = createMetrics();
  fill(metrics);
  return metrics.snapshot();
};

describe('metrics of several processes', () => {
  const fill =
    (count: number, stands: number) =>
    (metrics: Metrics): void => {
      metrics.counter('c_total', 'c', ['x']).bind(['both'])(count);
      metrics.counter('c_total', 'c', ['x']).bind([`only ${count}`])(1);
      metrics.histogram('h', 'h', [], [1, 2]).bind([])(count);
      for (const aggregate of ['sum', 'max', 'min', 'first'] satisfies GaugeAggregate[])
        metrics.gauge(`g_${aggregate}`, 'g', [], aggregate).bind([])(stands);
    };
  let three: readonly MetricsSnapshot[];
  before(async () => {
    three = await Promise.all([ofProcess(fill(1, 5)), ofProcess(fill(2, 3)), ofProcess(fill(3, 9))]);
  });
  const valuesOf = (name: string) =>
    scrapeMetrics(...three)
      .get(name)
      ?.samples.map(({ value }) => value);

  it('adds the counters of several processes by their labels', async () => {
    const samples = scrapeMetrics(...three)
      .get('c_total')
      ?.samples.map(({ labels, value }) => [labels['x'], value]);
    expect(samples).to.deep.equal([
      ['both', 6],
      ['only 1', 1],
      ['only 2', 1],
      ['only 3', 1],
    ]);
  });

  it('takes the bounds of a histogram from a process that has observed something', async () => {
    const observed = await ofProcess((metrics) => metrics.histogram('h', 'h', [], [1, 2]).bind([])(1.5));
    // The bounds of a registry of prom-client are those of its series.
    const empty = observed.map((metric) => (metric.name === 'h' ? { ...metric, buckets: [], series: [] } : metric));
    expect(mergeMetrics([empty, observed])).to.deep.equal(observed);
  });

  it('adds the histograms of several processes bucket by bucket', async () => {
    expect(await valuesOf('h')).to.deep.equal([1, 2, 3, 6, 3]);
  });

  for (const [aggregate, value] of [
    ['sum', 17],
    ['max', 9],
    ['min', 3],
    ['first', 5],
  ] as const) {
    it(`merges a gauge of several processes by ${aggregate}`, async () => {
      expect(await valuesOf(`g_${aggregate}`)).to.deep.equal([value]);
    });
  }

  it('merges metrics to the same result at once or step by step', async () => {
    const [one = [], other = [], third = []] = three;
    expect(scrapeMetrics(mergeMetrics([mergeMetrics([one, other]), third]))).to.deep.equal(scrapeMetrics(...three));
  });

  it('does not modify the metrics that it merges', async () => {
    const before = structuredClone(three);
    mergeMetrics(three);
    expect(three).to.deep.equal(before);
  });

  it('metrics survive a JSON round trip', async () => {
    expect(mergeMetrics(JSON.parse(JSON.stringify(three)) as MetricsSnapshot[])).to.deep.equal(mergeMetrics(three));
  });

  it('merges histograms with the bounds of any process that has them, and reports what cannot be merged', async () => {
    const empty = await ofProcess((metrics) => void metrics.histogram('by_x', 'h', ['x'], [1, 2]));
    const full = await ofProcess((metrics) => metrics.histogram('by_x', 'h', ['x'], [1, 2]).bind(['a'])(2));
    expect(mergeMetrics([empty, full, full]).find(({ name }) => name === 'by_x')).to.deep.include({
      buckets: [1, 2],
      series: [{ labels: { x: 'a' }, figures: [0, 2, 2, 4] }],
    });
    expect(() => mergeMetrics([[{ name: 'c', help: 'c', type: 'gauge', aggregator: 'average', series: [] }]])).to.throw(
      'The metric c cannot be merged by average.',
    );
  });

  it('keeps the counts of a process that has exited', async () => {
    expect(retireMetrics(await ofProcess(fill(1, 5))).map(({ name }) => name)).to.deep.equal([
      'koine_metrics_series_dropped_total',
      'c_total',
      'h',
    ]);
  });
});
