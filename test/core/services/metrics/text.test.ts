import { expect } from 'chai';
import * as fc from 'fast-check';
import type { MetricsSnapshot } from '../../../../core/api/index.ts';
import { formatMetrics, METRICS_CONTENT_TYPE } from '../../../../core/api/metrics.ts';
import { createMetrics } from '../../../../core/services/metrics/metrics.ts';
import { parseMetrics, scrapeMetrics, sumOf } from '../../../support/parse-metrics.ts';

const counterOf = (value: string, help: string): Promise<MetricsSnapshot> => {
  const metrics = createMetrics();
  metrics.counter('c_total', help, ['x']).bind([value])(1);
  return metrics.snapshot();
};

describe('metrics as text', () => {
  it('metrics as text have exactly the documented format', async () => {
    const metrics = createMetrics();
    metrics.counter('c_total', 'Counts.', ['x', 'y']).bind(['a', 'b'])(2);
    metrics.gauge('g', 'Stands.', [], 'sum').bind([])(-0.5);
    metrics.histogram('h_seconds', 'Takes.', ['x'], [0.005, 1]).bind(['a'])(0.5);
    metrics.histogram('bare_seconds', 'Takes.', [], [1]).bind([])(3);
    metrics.counter('none_total', 'Nothing yet.', ['x']);
    expect(formatMetrics(await metrics.snapshot()).split('\n')).to.deep.equal([
      '# HELP koine_metrics_series_dropped_total Combinations of label values that became "other" because a cap was reached.',
      '# TYPE koine_metrics_series_dropped_total counter',
      '',
      '# HELP c_total Counts.',
      '# TYPE c_total counter',
      'c_total{x="a",y="b"} 2',
      '',
      '# HELP g Stands.',
      '# TYPE g gauge',
      'g -0.5',
      '',
      '# HELP h_seconds Takes.',
      '# TYPE h_seconds histogram',
      'h_seconds_bucket{le="0.005",x="a"} 0',
      'h_seconds_bucket{le="1",x="a"} 1',
      'h_seconds_bucket{le="+Inf",x="a"} 1',
      'h_seconds_sum{x="a"} 0.5',
      'h_seconds_count{x="a"} 1',
      '',
      '# HELP bare_seconds Takes.',
      '# TYPE bare_seconds histogram',
      'bare_seconds_bucket{le="1"} 0',
      'bare_seconds_bucket{le="+Inf"} 1',
      'bare_seconds_sum 3',
      'bare_seconds_count 1',
      '',
      '# HELP none_total Nothing yet.',
      '# TYPE none_total counter',
      '',
    ]);
  });

  it('escapes characters in metrics that would break a line', async () => {
    const text = formatMetrics(await counterOf('say "hi"\nC:\\temp\\new', 'one\\two\nthree "four"'));
    expect(text.slice(text.indexOf('# HELP c_total'))).to.equal(
      '# HELP c_total one\\\\two\\nthree "four"\n# TYPE c_total counter\nc_total{x="say \\"hi\\"\\nC:\\\\temp\\\\new"} 1\n',
    );
  });

  it('metrics as text are valid UTF-8 for any value', async () => {
    const metrics = createMetrics();
    const broken = metrics.counter('c_total', 'c', ['x']);
    for (const value of [
      Buffer.from([0xff]).toString('latin1'),
      Buffer.from([0xff]).toString('utf8'),
      '\ud83d',
      '\ude00\ud83d',
      '😀',
    ])
      broken.bind([value])(1);
    const bytes = Buffer.from(formatMetrics(await metrics.snapshot()), 'utf8');
    const values = parseMetrics(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
      .get('c_total')
      ?.samples.map(({ labels }) => labels['x']);
    expect(values).to.deep.equal(['ÿ', '\ufffd', '\ufffd\ufffd', '😀']);
  });

  it('metrics as text survive a round trip through a strict parser', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('"', '\\', '\n', 'n', ',', '=', '{', '}', '\r', ' ') }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(value, value), { selector: (pair) => JSON.stringify(pair) }),
        fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
        value,
        async (pairs, number, text) => {
          const help = `h${text}`;
          const metrics = createMetrics();
          const made = metrics.counter('c_total', help, ['x', 'y']);
          const seen = metrics.histogram('h', help, ['x', 'y'], [1, 10]);
          for (const pair of pairs) {
            made.bind(pair)(number);
            seen.bind(pair)(number);
          }
          const families = await scrapeMetrics(await metrics.snapshot());
          expect(families.get('c_total')).to.deep.equal({
            type: 'counter',
            help,
            samples: pairs.map(([x, y]) => ({ name: 'c_total', labels: { x, y }, value: number + 0 })),
          });
          expect(sumOf(families, 'h_count')).to.equal(pairs.length);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('keeps label values apart that the library would merge', async () => {
    const metrics = createMetrics();
    const counter = metrics.counter('c_total', 'c', ['x', 'y']);
    counter.bind(['a,y:b', 'c'])(1);
    counter.bind(['a', 'b,y:c'])(2);
    const families = await scrapeMetrics(await metrics.snapshot());
    expect(
      families.get('c_total')?.samples.map(({ labels, value }) => [labels['x'], labels['y'], value]),
    ).to.deep.equal([
      ['a;y:b', 'c', 1],
      ['a', 'b;y:c', 2],
    ]);
  });

  it('metrics as text have the content-type of the format', () => {
    expect(METRICS_CONTENT_TYPE).to.equal('text/plain; version=0.0.4; charset=utf-8');
  });
});

describe('the strict parser of these tests', () => {
  const head = '# HELP a x\n# TYPE a counter\n';
  const histogram = '# HELP h x\n# TYPE h histogram\n';
  for (const [what, text] of [
    ['a last line that does not end', `${head}a 1`],
    ['TYPE without HELP', '# TYPE a counter\na 1\n'],
    ['TYPE twice', `${head}${head}`],
    ['samples without TYPE', 'a 1\n'],
    ['samples under another TYPE', `${head}b 1\n`],
    ['an open quote', `${head}a{x="y} 1\n`],
    ['an escape that is none', `${head}a{x="\\t"} 1\n`],
    ['a trailing comma', `${head}a{x="y",} 1\n`],
    ['a label twice', `${head}a{x="y",x="z"} 1\n`],
    ['a sample twice', `${head}a{x="y"} 1\na{x="y"} 2\n`],
    ['a counter below zero', `${head}a -1\n`],
    ['a number that is none', `${head}a undefined\n`],
    ['an empty line', `${head}\na 1\n`],
    ['a histogram without its last bucket', `${histogram}h_bucket{le="1"} 1\nh_sum 1\nh_count 1\n`],
    ['buckets that fall', `${histogram}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n`],
    ['a count beside its last bucket', `${histogram}h_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n`],
    ['a histogram without sum', `${histogram}h_bucket{le="+Inf"} 1\nh_count 1\n`],
  ] as const) {
    it(`the strict parser of these tests refuses ${what}`, () => {
      expect(() => parseMetrics(text)).to.throw();
    });
  }
});
