import { expect } from 'chai';
import {
  formatBucket,
  formatDollars,
  formatMs,
  formatNumber,
  formatRate,
  formatShare,
  formatTicks,
  formatWait,
} from '../../../plugins/dashboard/page/data/format.js';
import { toneOfLimit } from '../../../plugins/dashboard/page/data/limits.js';
import { quantile, readBuckets, readSamples } from '../../../plugins/dashboard/page/data/metrics-text.js';
import { classOf, successRate } from '../../../plugins/dashboard/page/data/outcomes.js';
import { summarize, type Step } from '../../../plugins/dashboard/page/data/rates.js';
import { linkTo, readRoute } from '../../../plugins/dashboard/page/data/route.js';
import { listBucketStarts, readPeriod } from '../../../plugins/dashboard/page/data/usage-report.js';
import { draftOf, writeChange } from '../../../plugins/dashboard/page/pages/keys/key-draft.js';

const NOW = Date.UTC(2026, 10, 21, 10, 30);

const step = (success: number, failure: number, p50Ms: number | null): Step => ({
  time: '2026-11-21T10:30:00.000Z',
  success,
  client_error: 1,
  limited: 2,
  failure,
  p50Ms,
  p95Ms: null,
  p95FirstContentMs: null,
});

describe('the data of the dashboard page', () => {
  it('parses the text format of Prometheus with any characters in labels', () => {
    const text =
      '# TYPE a counter\na{b="x,y}\\"\\n\\\\",c=""} 1.5e3\nplain 2 1700000000000\n' +
      'gone NaN\nmost{le="+Inf"} +Inf\nnot a line\n';
    expect(readSamples(text)).to.deep.equal([
      { name: 'a', labels: { b: 'x,y}"\n\\', c: '' }, value: 1_500 },
      { name: 'plain', labels: {}, value: 2 },
      { name: 'gone', labels: {}, value: Number.NaN },
      { name: 'most', labels: { le: '+Inf' }, value: Infinity },
    ]);
  });

  it('sums up the steps of the last half minute', () => {
    const rates = [step(500, 0, 9), step(10, 0, 5), step(20, 5, 7), step(0, 0, null)];
    expect(summarize({ stepSeconds: 10, inFlight: 0, rates })).to.deep.equal({
      counts: { success: 30, client_error: 3, limited: 6, failure: 5 },
      perSecond: 44 / 30,
      p50Ms: 7,
      p95Ms: null,
      p95FirstContentMs: null,
    });
    expect(summarize({ stepSeconds: 10, inFlight: 0, rates: [] }).perSecond).to.equal(0);
  });

  it('the success rate counts neither client errors nor limits, and is not rounded up to 100 %', () => {
    expect(['ok', 'auth', 'client_closed', 'rate_limited', 'upstream_error', 'shed'].map(classOf)).to.deep.equal([
      'success',
      'client_error',
      'client_error',
      'limited',
      'failure',
      'failure',
    ]);
    expect([successRate({ success: 98, failure: 2 }), successRate({ success: 0, failure: 0 })]).to.deep.equal([
      0.98,
      undefined,
    ]);
    expect([undefined, null, 1, 0.999_99, 0.981_6, 0].map(formatRate)).to.deep.equal([
      '–',
      '–',
      '100%',
      '99.99%',
      '98.2%',
      '0%',
    ]);
  });

  it('a limit is red when its share is shown as 100 %', () => {
    const limit = {
      scope: 'key',
      organization: 'a',
      unit: 'cost',
      models: [],
      enforce: true,
      limit: 50,
    } as const;
    expect([0, 39.9, 40, 49.7, 49.98, 51].map((used) => toneOfLimit({ ...limit, used }))).to.deep.equal([
      'good',
      'good',
      'warn',
      'warn',
      'bad',
      'bad',
    ]);
  });

  it('an address names a page and what it shows', () => {
    const query = { key: 'acme/web/alice', outcome: 'failure', model: undefined };
    const address = linkTo('requests', { id: 'a/b', query });
    expect(readRoute(address)).to.deep.equal({
      page: 'requests',
      id: 'a/b',
      query: { key: 'acme/web/alice', outcome: 'failure' },
    });
    expect(readRoute('')).to.deep.equal({ page: 'overview', id: undefined, query: {} });
  });

  it('a change of a key has what differs, and null for what was removed', () => {
    const key = {
      id: 'abc',
      name: 'dora',
      organization: 'acme',
      project: 'web',
      models: ['house/*'],
      disabled: false,
      limits: [{ requests: 60, per: '1m', burst: 10 }, { concurrent: 8 }],
      tags: { team: 'search' },
      expiresAt: '2027-01-31T00:00:00.000Z',
      origin: 'database',
    } as const;
    const draft = draftOf(key);
    expect(writeChange(key, draft)).to.deep.equal({});
    const limits = [{ ...draft.limits[0]!, amount: '30' }];
    expect(writeChange(key, { ...draft, limits, tags: '', expires: '', models: '' })).to.deep.equal({
      expiresAt: null,
      models: [],
      limits: [{ requests: 30, per: '1m', burst: 10 }],
      tags: null,
    });
    expect(writeChange(key, { ...draft, inheritsLimits: true, losses: 'reject' })).to.deep.equal({
      limits: null,
      losses: 'reject',
    });
  });

  it('interpolates quantiles between the bounds of a histogram, up to its last finite bound', () => {
    const buckets = new Map([
      [1, 50],
      [2, 100],
      [Infinity, 110],
    ]);
    expect([quantile(buckets, 0.5), quantile(buckets, 0.99), quantile(new Map(), 0.5)]).to.deep.equal([
      { value: 1.1, from: 1, to: 2 },
      { value: 2, from: 2, to: Infinity },
      undefined,
    ]);
    const text = 'd_bucket{o="ok",le="0.1"} 7\nd_bucket{o="ok",le="+Inf"} 7\nd_bucket{o="no",le="+Inf"} 3\n';
    expect([...readBuckets(readSamples(text), 'd')]).to.deep.equal([
      [0.1, 7],
      [Infinity, 10],
    ]);
  });

  it('lists every hour, day or month of a report, also without usage', () => {
    const report = { from: '2026-11-20T23:00:00.000Z', to: '2026-11-21T02:00:00.000Z' };
    const starts = (bucket: 'hour' | 'day' | 'month' | null, from = report.from, to = report.to) =>
      listBucketStarts({ from, to, bucket }).map((start) => new Date(start).toISOString().slice(0, 13));
    expect(starts('hour')).to.deep.equal(['2026-11-20T23', '2026-11-21T00', '2026-11-21T01']);
    expect(starts('day', '2026-11-20T00:00:00.000Z', '2026-11-22T00:00:00.000Z')).to.deep.equal([
      '2026-11-20T00',
      '2026-11-21T00',
    ]);
    expect(starts('month', '2025-12-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z')).to.deep.equal([
      '2025-12-01T00',
      '2026-01-01T00',
    ]);
    expect(starts(null)).to.deep.equal([]);
  });

  it('a report of a custom range is between its two times', () => {
    const times = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-03T00:00:00.000Z' };
    const custom = { range: 'custom', ...times, by: 'model', only: {} } as const;
    expect(readPeriod(custom, NOW)).to.deep.equal({ ...times, bucket: 'hour' });
    expect(readPeriod({ ...custom, range: '7d' }, NOW)).to.deep.equal({
      from: '2026-11-15T00:00:00.000Z',
      to: '2026-11-21T10:30:00.000Z',
      bucket: 'day',
    });
    expect(['15m', '24h', '30d', '1y'].map((range) => readPeriod({ ...custom, range }, NOW).from)).to.deep.equal([
      '2026-11-21T10:16:00.000Z',
      '2026-11-20T11:00:00.000Z',
      '2026-10-23T00:00:00.000Z',
      '2025-12-01T00:00:00.000Z',
    ]);
    expect(readPeriod({ ...custom, from: '2025-01-01' }, NOW).bucket).to.equal('month');
  });

  it('the dashboard formats money, durations, shares and times', () => {
    expect(
      ['0', '0.000000001', '0.0000755', '0.321', '12.3456', '1234567.891', '-0.5'].map((amount) =>
        formatDollars(amount),
      ),
    ).to.deep.equal(['$0.00', '$0.000000001', '$0.0000755', '$0.321', '$12.35', '$1,234,567.89', '-$0.50']);
    expect([null, 0.4, 12.6, 999, 1_234, 90_000].map(formatMs)).to.deep.equal([
      '–',
      '0.4 ms',
      '13 ms',
      '999 ms',
      '1.23 s',
      '1.5 min',
    ]);
    expect([1_500, 120_000, 7_200_000, 864_000_000].map(formatWait)).to.deep.equal(['2 s', '2 min', '2 h', '10 days']);
    expect([
      formatShare(0, 0),
      formatShare(1, 3),
      formatShare(2, 2),
      formatNumber(1.234),
      formatNumber(1_234.5),
    ]).to.deep.equal(['–', '33.3%', '100%', '1.23', '1,235']);
    expect([formatTicks([0, 0.025, 0.05], '$'), formatTicks([0, 5_000, 10_000])]).to.deep.equal([
      ['$0.000', '$0.025', '$0.050'],
      ['0', '5K', '10K'],
    ]);
    expect([
      formatBucket('hour', NOW),
      formatBucket('hour', Date.UTC(2026, 10, 21)),
      formatBucket('day', NOW),
      formatBucket('month', NOW),
    ]).to.deep.equal(['10:30', 'Nov 21', 'Nov 21', 'Nov 2026']);
  });
});
