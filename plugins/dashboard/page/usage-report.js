/**
 * The answer of /admin/usage: docs/usage.md.
 * @typedef {{ readonly p50: number | null, readonly p95: number | null, readonly p99: number | null }} Percentiles
 */
/**
 * @typedef {object} Figures
 * @property {number} exchanges
 * @property {Readonly<Record<string, number>>} outcomes
 * @property {Readonly<Record<'input' | 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h' | 'output' | 'reasoning', number>>} tokens
 * @property {number} estimated
 * @property {number} unpriced
 * @property {string} cost
 * @property {{ readonly saved: string, readonly lost: string }} cache
 * @property {Percentiles} latencyMs
 * @property {Percentiles} firstContentMs
 */
/** @typedef {Figures & { readonly start?: string } & Readonly<Partial<Record<string, unknown>>>} ReportLine */
/**
 * @typedef {object} UsageReport
 * @property {string} from
 * @property {string} to
 * @property {'hour' | 'day' | 'month' | null} bucket
 * @property {Figures} totals
 * @property {readonly ReportLine[]} lines
 */

/** What usage can be divided by and chosen from, as people say it. */
export const dimensions = {
  model: 'Model',
  route: 'Endpoint',
  key: 'Key',
  project: 'Project',
  organization: 'Organization',
  provider: 'Provider',
};
/** @typedef {keyof typeof dimensions} Dimension */

/**
 * So many hours, days or months, this one among them.
 * @type {Readonly<Record<string, { readonly title: string, readonly count: number, readonly bucket: 'hour' | 'day' | 'month' }>>}
 */
export const ranges = {
  '24h': { title: 'Last 24 hours', count: 24, bucket: 'hour' },
  '7d': { title: 'Last 7 days', count: 7, bucket: 'day' },
  '30d': { title: 'Last 30 days', count: 30, bucket: 'day' },
  '1y': { title: 'Last 12 months', count: 12, bucket: 'month' },
};

/**
 * What is asked for.
 * @typedef {object} UsageQuestion
 * @property {string} range one of `ranges`, or `own`
 * @property {string} from of a range of one's own: a day
 * @property {string} to the day after its last one is not counted any more
 * @property {Dimension} by
 * @property {Readonly<Partial<Record<Dimension, string>>>} only
 */

/** @param {number} ms */
const bucketOf = (ms) => (ms <= 3 * 86_400_000 ? 'hour' : ms <= 100 * 86_400_000 ? 'day' : 'month');

/** Whole buckets, so that the chart shows all that the sums have. @param {'hour' | 'day' | 'month'} bucket @param {number} count @param {number} now */
const beginOf = (bucket, count, now) => {
  const at = new Date(now);
  if (bucket === 'hour') return at.setUTCHours(at.getUTCHours() - count + 1, 0, 0, 0);
  at.setUTCHours(0, 0, 0, 0);
  return bucket === 'day'
    ? at.setUTCDate(at.getUTCDate() - count + 1)
    : at.setUTCMonth(at.getUTCMonth() - count + 1, 1);
};

/** @param {UsageQuestion} question @param {number} now */
export const readPeriod = ({ range, from, to }, now) => {
  const known = ranges[range];
  if (known !== undefined)
    return {
      from: new Date(beginOf(known.bucket, known.count, now)).toISOString(),
      to: new Date(now).toISOString(),
      bucket: known.bucket,
    };
  const end = Date.parse(to) + 86_400_000;
  return { from, to: new Date(end).toISOString(), bucket: bucketOf(end - Date.parse(from)) };
};

/** Where every bucket of a report begins, in unix milliseconds. @param {Pick<UsageReport, 'from' | 'to' | 'bucket'>} report */
export const listStarts = ({ from, to, bucket }) => {
  /** @type {number[]} */
  const starts = [];
  const at = new Date(from);
  const end = Date.parse(to);
  if (bucket === null) return starts;
  while (at.getTime() < end) {
    starts.push(at.getTime());
    if (bucket === 'hour') at.setUTCHours(at.getUTCHours() + 1);
    else if (bucket === 'day') at.setUTCDate(at.getUTCDate() + 1);
    else at.setUTCMonth(at.getUTCMonth() + 1);
  }
  return starts;
};
