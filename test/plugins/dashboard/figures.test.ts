import { expect } from 'chai';
import {
  writeBucket,
  writeDollars,
  writeMs,
  writeNumber,
  writeShare,
  writeTicks,
  writeWait,
} from '../../../plugins/dashboard/page/format.js';
import { quantile, readBuckets, subtract } from '../../../plugins/dashboard/page/histogram.js';
import { readSamples } from '../../../plugins/dashboard/page/metrics-text.js';
import { addMoment, describeNow, describeRates, readMoment } from '../../../plugins/dashboard/page/moments.js';
import { listStarts, readPeriod } from '../../../plugins/dashboard/page/usage-report.js';

const NOW = Date.UTC(2026, 10, 21, 10, 30);

/** What a gateway exports that has answered so many, each within a tenth of a second, and failed so often. */
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
const momentOf = (ok: number, failed: number, seconds: number) =>
  readMoment(readSamples(exportOf(ok, failed)), NOW + seconds * 1_000);

describe('the figures of the dashboard', () => {
  it('are read from the text of Prometheus, whatever stands in a label', () => {
    const text =
      '# TYPE a counter\na{b="x,y}\\"\\n\\\\",c=""} 1.5e3\nplain 2 1700000000000\ngone NaN\nmost{le="+Inf"} +Inf\nnot a line\n';
    expect(readSamples(text)).to.deep.equal([
      { name: 'a', labels: { b: 'x,y}"\n\\', c: '' }, value: 1_500 },
      { name: 'plain', labels: {}, value: 2 },
      { name: 'gone', labels: {}, value: Number.NaN },
      { name: 'most', labels: { le: '+Inf' }, value: Infinity },
    ]);
  });

  it('of this moment are what was added in the last half minute', () => {
    const moments = [momentOf(0, 0, 0), momentOf(100, 0, 10), momentOf(190, 10, 40)].reduce(addMoment, []);
    expect(describeNow(moments)).to.deep.include({
      seconds: 30,
      all: 100,
      ok: 90,
      inFlight: 3,
      measuresFirstContent: false,
      firstContent: undefined,
      p50: 50,
      p95: 95,
    });
    expect(describeNow(moments)?.perSecond).to.be.closeTo(100 / 30, 1e-9);
    expect(describeRates(moments).map(({ ok, failed }) => [ok, Number(failed.toFixed(3))])).to.deep.equal([
      [10, 0],
      [3, 0.333],
    ]);
  });

  it('are none before there are two moments, and zeros while nothing happens', () => {
    expect(describeNow([])).to.equal(undefined);
    expect(describeNow([momentOf(5, 0, 0)])).to.equal(undefined);
    expect(describeNow([momentOf(5, 0, 0), momentOf(5, 0, 2)])).to.deep.include({
      perSecond: 0,
      all: 0,
      p50: undefined,
    });
  });

  it('begin anew with a gateway that has started again', () => {
    const moments = [momentOf(500, 0, 0), momentOf(3, 0, 2), momentOf(5, 0, 4)].reduce(addMoment, []);
    expect(describeNow(moments)).to.deep.include({ all: 2, ok: 2 });
  });

  it('forget what is older than five minutes', () => {
    expect([momentOf(0, 0, 0), momentOf(1, 0, 299), momentOf(2, 0, 301)].reduce(addMoment, [])).to.have.length(2);
  });

  it('of a histogram lie between its bounds, and beyond the last one at that', () => {
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

  it('of usage have a bucket for every hour, day or month, also where nothing was used', () => {
    const report = { from: '2026-11-20T23:00:00.000Z', to: '2026-11-21T02:00:00.000Z' };
    const starts = (bucket: 'hour' | 'day' | 'month' | null, from = report.from, to = report.to) =>
      listStarts({ from, to, bucket }).map((start) => new Date(start).toISOString().slice(0, 13));
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

  it('of a time of one’s own end with its last day', () => {
    const own = { range: 'own', from: '2026-11-01', to: '2026-11-02', by: 'model', only: {} } as const;
    expect(readPeriod(own, NOW)).to.deep.equal({ from: '2026-11-01', to: '2026-11-03T00:00:00.000Z', bucket: 'hour' });
    expect(readPeriod({ ...own, range: '7d' }, NOW)).to.deep.equal({
      from: '2026-11-15T00:00:00.000Z',
      to: '2026-11-21T10:30:00.000Z',
      bucket: 'day',
    });
    expect(['24h', '30d', '1y'].map((range) => readPeriod({ ...own, range }, NOW).from)).to.deep.equal([
      '2026-11-20T11:00:00.000Z',
      '2026-10-23T00:00:00.000Z',
      '2025-12-01T00:00:00.000Z',
    ]);
    expect(readPeriod({ ...own, from: '2025-01-01' }, NOW).bucket).to.equal('month');
  });

  it('are written for people', () => {
    expect(
      ['0', '0.000000001', '0.0000755', '0.321', '12.3456', '1234567.891', '-0.5'].map((amount) =>
        writeDollars(amount),
      ),
    ).to.deep.equal(['$0.00', '$0.000000001', '$0.0000755', '$0.321', '$12.35', '$1,234,567.89', '-$0.50']);
    expect([null, 0.4, 12.6, 999, 1_234, 90_000].map(writeMs)).to.deep.equal([
      '–',
      '0.4 ms',
      '13 ms',
      '999 ms',
      '1.23 s',
      '1.5 min',
    ]);
    expect([1_500, 120_000, 7_200_000, 864_000_000].map(writeWait)).to.deep.equal(['2 s', '2 min', '2 h', '10 days']);
    expect([
      writeShare(0, 0),
      writeShare(1, 3),
      writeShare(2, 2),
      writeNumber(1.234),
      writeNumber(1_234.5),
    ]).to.deep.equal(['–', '33.3%', '100%', '1.23', '1,235']);
    expect([writeTicks([0, 0.025, 0.05], '$'), writeTicks([0, 5_000, 10_000])]).to.deep.equal([
      ['$0.000', '$0.025', '$0.050'],
      ['0', '5K', '10K'],
    ]);
    expect([
      writeBucket('hour', NOW),
      writeBucket('hour', Date.UTC(2026, 10, 21)),
      writeBucket('day', NOW),
      writeBucket('month', NOW),
    ]).to.deep.equal(['10:30', 'Nov 21', 'Nov 21', 'Nov 2026']);
  });
});
