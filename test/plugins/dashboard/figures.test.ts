import { expect } from 'chai';
import {
  formatBucket,
  formatDollars,
  formatMs,
  formatNumber,
  formatShare,
  formatTicks,
  formatWait,
} from '../../../plugins/dashboard/page/data/format.js';
import { quantile, readBuckets, subtract } from '../../../plugins/dashboard/page/data/histogram.js';
import { readSamples } from '../../../plugins/dashboard/page/data/metrics-text.js';
import { addSnapshot, ratesOf, readSnapshot, summarize } from '../../../plugins/dashboard/page/data/snapshots.js';
import { listBucketStarts, readPeriod } from '../../../plugins/dashboard/page/data/usage-report.js';

const NOW = Date.UTC(2026, 10, 21, 10, 30);

/** The metrics of a gateway after `ok` successful requests of up to 0.1 s each, and `failed` others. */
const exportOf = (ok: number, failed: number): string => `# HELP koine_http_requests_total Exchanges.
# TYPE koine_http_requests_total counter
koine_http_requests_total{route="/v1/messages",outcome="ok",code="200"} ${ok}
koine_http_requests_total{route="/v1/messages",outcome="upstream_error",code="502"} ${failed}
koine_requests_in_flight{wire="messages",stream="true"} 2
koine_requests_in_flight{wire="messages",stream="false"} 1
koine_http_request_duration_seconds_bucket{outcome="ok",le="0.1"} ${ok}
koine_http_request_duration_seconds_bucket{outcome="ok",le="+Inf"} ${ok}
koine_http_request_duration_seconds_bucket{outcome="upstream_error",le="+Inf"} ${failed}
`;
const snapshotOf = (ok: number, failed: number, seconds: number) =>
  readSnapshot(readSamples(exportOf(ok, failed)), NOW + seconds * 1_000);

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

  it('computes rates and latencies of the last 30 seconds from the difference of two snapshots', () => {
    const snapshots = [snapshotOf(0, 0, 0), snapshotOf(100, 0, 10), snapshotOf(190, 10, 40)].reduce(addSnapshot, []);
    expect(summarize(snapshots)).to.deep.include({
      seconds: 30,
      all: 100,
      ok: 90,
      inFlight: 3,
      measuresFirstToken: false,
      firstToken: undefined,
      p50: 50,
      p95: 95,
    });
    expect(summarize(snapshots)?.perSecond).to.be.closeTo(100 / 30, 1e-9);
    expect(ratesOf(snapshots).map(({ ok, failed }) => [ok, Number(failed.toFixed(3))])).to.deep.equal([
      [10, 0],
      [3, 0.333],
    ]);
  });

  it('the dashboard has no figures before the second snapshot, and zeros without requests', () => {
    expect(summarize([])).to.equal(undefined);
    expect(summarize([snapshotOf(5, 0, 0)])).to.equal(undefined);
    expect(summarize([snapshotOf(5, 0, 0), snapshotOf(5, 0, 2)])).to.deep.include({
      perSecond: 0,
      all: 0,
      p50: undefined,
    });
  });

  it('drops snapshots from before a restart of the gateway', () => {
    const snapshots = [snapshotOf(500, 0, 0), snapshotOf(3, 0, 2), snapshotOf(5, 0, 4)].reduce(addSnapshot, []);
    expect(summarize(snapshots)).to.deep.include({ all: 2, ok: 2 });
  });

  it('the dashboard drops snapshots older than five minutes', () => {
    expect([snapshotOf(0, 0, 0), snapshotOf(1, 0, 299), snapshotOf(2, 0, 301)].reduce(addSnapshot, [])).to.have.length(
      2,
    );
  });

  it('interpolates quantiles between the bounds of a histogram, up to its last finite bound', () => {
    const buckets = new Map([
      [1, 50],
      [2, 100],
      [Infinity, 110],
    ]);
    expect([quantile(buckets, 0.5), quantile(buckets, 0.99), quantile(new Map(), 0.5)]).to.deep.equal([
      1.1,
      2,
      undefined,
    ]);
    expect([...subtract(buckets, new Map([[1, 20]]))]).to.deep.equal([
      [1, 30],
      [2, 100],
      [Infinity, 110],
    ]);
    expect([...readBuckets(readSamples(exportOf(7, 3)), 'koine_http_request_duration_seconds')]).to.deep.equal([
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

  it('a report includes the last day of a custom range', () => {
    const custom = { range: 'custom', from: '2026-11-01', to: '2026-11-02', by: 'model', only: {} } as const;
    expect(readPeriod(custom, NOW)).to.deep.equal({
      from: '2026-11-01',
      to: '2026-11-03T00:00:00.000Z',
      bucket: 'hour',
    });
    expect(readPeriod({ ...custom, range: '7d' }, NOW)).to.deep.equal({
      from: '2026-11-15T00:00:00.000Z',
      to: '2026-11-21T10:30:00.000Z',
      bucket: 'day',
    });
    expect(['24h', '30d', '1y'].map((range) => readPeriod({ ...custom, range }, NOW).from)).to.deep.equal([
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
