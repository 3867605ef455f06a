import { expect } from 'chai';
import { createMetrics } from '../../../../core/services/metrics/metrics.ts';
import type { Metrics } from '../../../../core/api/index.ts';
import { scrapeMetrics, sumOf } from '../../../support/parse-metrics.ts';

const DROPPED = 'koine_metrics_series_dropped_total';

/** The figures of one metric by its label values. */
const readSeries = async (metrics: Metrics, name: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await scrapeMetrics(await metrics.snapshot()))
      .get(name)
      ?.samples.map(({ labels, value }) => [Object.values(labels).join(' '), value]) ?? [],
  );

describe('metrics', () => {
  let metrics: Metrics;
  beforeEach(() => {
    metrics = createMetrics();
  });

  it('adds to counters, sets gauges, and counts observations in buckets that include their bound', async () => {
    metrics.counter('c_total', 'c', ['x']).bind(['a'])(2);
    metrics.counter('c_total', 'c', ['x']).bind(['a'])(0.5);
    metrics.gauge('g', 'g', [], 'sum').bind([])(7);
    metrics.gauge('g', 'g', [], 'sum').bind([])(-3);
    const observe = metrics.histogram('h', 'h', ['x'], [1, 2]).bind(['a']);
    for (const value of [0.5, 1, 1.5, 2, 3]) observe(value);
    expect([await readSeries(metrics, 'c_total'), await readSeries(metrics, 'g')]).to.deep.equal([
      { a: 2.5 },
      { '': -3 },
    ]);
    const samples = (await scrapeMetrics(await metrics.snapshot()))
      .get('h')
      ?.samples.map(({ name, labels, value }) => [name, labels['le'], value]);
    expect(samples).to.deep.equal([
      ['h_bucket', '1', 2],
      ['h_bucket', '2', 4],
      ['h_bucket', '+Inf', 5],
      ['h_sum', undefined, 8],
      ['h_count', undefined, 5],
    ]);
  });

  it('binding a metric twice to the same values returns the same function', () => {
    const counter = metrics.counter('c_total', 'c', ['x', 'y']);
    expect(counter.bind(['a', 'b']))
      .to.equal(counter.bind(['a', 'b']))
      .and.not.equal(counter.bind(['ab', '']));
  });

  it('a snapshot of metrics does not change', async () => {
    const update = [
      metrics.counter('c_total', 'c', []),
      metrics.gauge('g', 'g', [], 'sum'),
      metrics.histogram('h', 'h', [], [1]),
    ].map((metric) => metric.bind([]));
    const snapshot = await metrics.snapshot();
    const before = structuredClone(snapshot);
    for (const change of update) change(1);
    expect(snapshot).to.deep.equal(before);
  });

  it('a metric starts at zero when it is bound', async () => {
    metrics.counter('c_total', 'c', ['x']).bind(['a']);
    metrics.gauge('g', 'g', ['x'], 'sum').bind(['a']);
    metrics.histogram('h', 'h', ['x'], [1]).bind(['a']);
    const families = await scrapeMetrics(await metrics.snapshot());
    expect(['c_total', 'g', 'h'].map((name) => families.get(name)?.samples.map(({ value }) => value))).to.deep.equal([
      [0],
      [0],
      [0, 0, 0, 0],
    ]);
  });

  const taken = 'cannot be registered as';
  const refusals: readonly [string, (metrics: Metrics) => unknown, string][] = [
    [
      'other labels',
      (made) => made.counter('taken_total', 'c', ['y']),
      `The metric taken_total ${taken} a counter by (y): it exists as a counter by (x).`,
    ],
    [
      'another kind',
      (made) => made.gauge('taken_total', 'c', ['x'], 'sum'),
      `${taken} a gauge by (x) that aggregates by sum: it exists as a counter by (x).`,
    ],
    [
      'other buckets',
      (made) => made.histogram('taken_seconds', 'h', [], [1, 3]),
      `${taken} a histogram by () with the buckets 1, 3: it exists as a histogram by () with the buckets 1, 2.`,
    ],
    [
      'another aggregate',
      (made) => made.gauge('taken', 'g', [], 'max'),
      `${taken} a gauge by () that aggregates by max`,
    ],
    [
      'a name of other characters',
      (made) => made.counter('a-b', 'c', []),
      'The metric "a-b" cannot be created: Invalid metric name.',
    ],
    [
      'a label of other characters',
      (made) => made.counter('c_total', 'c', ['a-b']),
      'The metric "c_total" cannot be created: Invalid label name.',
    ],
    [
      'a label of Prometheus itself',
      (made) => made.counter('c_total', 'c', ['__name__']),
      'it cannot have a label named "__name__"',
    ],
    [
      'a histogram with a label le',
      (made) => made.histogram('h', 'h', ['le'], [1]),
      'The metric "h" cannot be created: le is a reserved',
    ],
    ['a label twice', (made) => made.counter('c_total', 'c', ['x', 'x']), 'two of its labels'],
    ['buckets that fall', (made) => made.histogram('h', 'h', [], [2, 1]), 'its buckets must be'],
    ['no buckets', (made) => made.histogram('h', 'h', [], []), 'its buckets must be'],
    ['no help', (made) => made.counter('c_total', '', []), 'Missing mandatory help'],
    ['a name of its own', (made) => made.counter(DROPPED, 'c', []), 'has already been registered'],
    [
      'too few values',
      (made) => made.counter('taken_total', 'c', ['x']).bind([]),
      'has the labels (x) and was given 0 values',
    ],
    [
      'a counter that would fall',
      (made) => made.counter('taken_total', 'c', ['x']).bind(['a'])(-1),
      'The counter taken_total cannot take -1.',
    ],
    [
      'a counter that would be no number',
      (made) => made.counter('taken_total', 'c', ['x']).bind(['a'])(Number.NaN),
      'cannot take NaN',
    ],
    [
      'a gauge that is no number',
      (made) => made.gauge('taken', 'g', [], 'sum').bind([])(Number.NaN),
      'The gauge taken cannot take NaN.',
    ],
    [
      'a duration without end',
      (made) => made.histogram('taken_seconds', 'h', [], [1, 2]).bind([])(Infinity),
      'cannot take Infinity',
    ],
  ];
  for (const [what, ask, message] of refusals) {
    it(`a metric with ${what} is refused`, () => {
      metrics.counter('taken_total', 'c', ['x']);
      metrics.histogram('taken_seconds', 'h', [], [1, 2]);
      metrics.gauge('taken', 'g', [], 'sum');
      expect(() => ask(metrics)).to.throw(message);
    });
  }

  it('a series starts at zero when it is updated again after it was dropped', async () => {
    const metrics = createMetrics({ perMetric: 3, total: 100 });
    const counter = metrics.counter('c_total', 'c', ['x']);
    const before = counter.bind(['a']);
    before(5);
    metrics.drop(({ x }) => x === 'a');
    expect(await readSeries(metrics, 'c_total')).to.deep.equal({});
    before(1);
    expect(await readSeries(metrics, 'c_total')).to.deep.equal({ a: 1 });
    expect(counter.bind(['a'])).to.equal(before);
    metrics.drop(({ x }) => x === 'a');
    const after = counter.bind(['a']);
    after(2);
    before(3);
    counter.bind(['b'])(1);
    counter.bind(['c'])(1);
    expect(await readSeries(metrics, 'c_total')).to.deep.equal({ a: 5, b: 1, other: 1 });
  });

  it('makes label values well-formed', async () => {
    const counter = metrics.counter('c_total', 'c', ['x']);
    counter.bind(['a\ud800'])(1);
    counter.bind(['a\ufffd'])(1);
    expect(await readSeries(metrics, 'c_total')).to.deep.equal({ 'a\ufffd': 2 });
  });
});

describe('metrics: caps', () => {
  it('limits a metric to 2,000 combinations including `other`, and counts those beyond', async () => {
    const metrics = createMetrics();
    const counter = metrics.counter('c_total', 'c', ['x', 'y']);
    for (let count = 0; count < 2_500; count += 1) counter.bind([`x${count}`, 'y'])(1);
    const series = await readSeries(metrics, 'c_total');
    expect(Object.keys(series)).to.have.lengthOf(2_000);
    expect(series['other other']).to.equal(501);
    expect(await readSeries(metrics, DROPPED)).to.deep.equal({ c_total: 501 });
  });

  it('limits the combinations of a histogram, not its lines', async () => {
    const metrics = createMetrics({ perMetric: 3, total: 100 });
    const histogram = metrics.histogram('h', 'h', ['x'], [1, 2, 3, 4, 5, 6, 7, 8]);
    const combinations = async () =>
      (await scrapeMetrics(await metrics.snapshot()))
        .get('h')
        ?.samples.filter(({ name }) => name === 'h_count')
        .map(({ labels }) => labels['x']);
    for (const value of ['a', 'b']) histogram.bind([value])(1);
    expect(await combinations()).to.deep.equal(['a', 'b']);
    histogram.bind(['c'])(1);
    expect(await combinations()).to.deep.equal(['a', 'b', 'other']);
  });

  it('continues to count existing combinations of a metric at its limit', async () => {
    const metrics = createMetrics({ perMetric: 2, total: 100 });
    const counter = metrics.counter('c_total', 'c', ['x']);
    counter.bind(['a'])(1);
    counter.bind(['b'])(1);
    counter.bind(['a'])(1);
    expect([await readSeries(metrics, 'c_total'), await readSeries(metrics, DROPPED)]).to.deep.equal([
      { a: 2, other: 1 },
      { c_total: 1 },
    ]);
  });

  it('limits the total to 20,000 combinations; a metric without labels always exists', async () => {
    const metrics = createMetrics();
    for (let metric = 0; metric < 15; metric += 1) {
      const counter = metrics.counter(`c${metric}_total`, 'c', ['x']);
      for (let count = 0; count < 1_900; count += 1) counter.bind([`x${count}`])(1);
    }
    metrics.counter('late_total', 'c', []).bind([])(1);
    const families = await scrapeMetrics(await metrics.snapshot());
    const counted = [...families]
      .filter(([name]) => /^c\d/.test(name))
      .reduce((sum, [, { samples }]) => sum + samples.length, 0);
    expect(counted).to.be.within(19_980, 20_000);
    expect(sumOf(families, DROPPED)).to.be.greaterThan(8_000);
    expect(await readSeries(metrics, 'late_total')).to.deep.equal({ '': 1 });
    expect(await readSeries(metrics, DROPPED)).not.to.have.property('late_total');
  });

  it('reports every metric that has reached a limit, even if all are full', async () => {
    const metrics = createMetrics({ perMetric: 2, total: 2 });
    for (const name of ['a_total', 'b_total', 'c_total'])
      for (const value of ['x', 'y', 'z']) metrics.counter(name, 'c', ['l']).bind([value])(1);
    expect(Object.keys(await readSeries(metrics, DROPPED))).to.deep.equal(['a_total', 'b_total', 'c_total']);
  });
});
