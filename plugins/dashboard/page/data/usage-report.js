import { yesterday } from './periods.js';

/**
 * The response of /admin/usage: docs/govern/usage.md.
 * @typedef {{ readonly p50: number | null, readonly p95: number | null, readonly p99: number | null }} Percentiles
 */
/** @typedef {'minute' | 'hour' | 'day' | 'month'} Bucket */
/** @typedef {'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h' | 'cacheWrite12h'} CacheKind */
/** @typedef {'input' | CacheKind | 'output' | 'reasoning'} TokenKind */
/** @typedef {Readonly<Record<'webSearches' | 'webFetches' | 'images' | 'seconds', number>>} Units */
/**
 * @typedef {object} Figures
 * @property {number} exchanges
 * @property {number} success
 * @property {number} client_error
 * @property {number} limited
 * @property {number} failure
 * @property {number} retried
 * @property {number | null} successRate
 * @property {Readonly<Record<TokenKind, number>>} tokens
 * @property {Units} units
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
 * @property {Bucket | null} bucket
 * @property {Figures} totals
 * @property {readonly ReportLine[]} lines
 * @property {readonly ReportLine[]} [other] all other groups, with `top`
 * @property {number} [groups] the number of groups, with `top`
 * @property {{ readonly totals: Figures }} [previous] the period of the same length before
 */

/** Whether anything was billed by unit. @param {Units} units */
export const hasUnits = (units) => Object.values(units).some((count) => count > 0);

/** Titles of the dimensions that usage can be grouped and filtered by. */
export const dimensions = {
  model: 'Model',
  route: 'Endpoint',
  key: 'Key',
  project: 'Project',
  organization: 'Organization',
  provider: 'Provider',
  user: 'End user',
  'tag:session': 'Session',
};
/** @typedef {keyof typeof dimensions | `tag:${string}`} Dimension */

const TAG = 'tag:';
/** @param {Dimension} by @returns {by is `tag:${string}`} */
export const isTag = (by) => by.startsWith(TAG);
/** @param {string} name @returns {Dimension} */
export const tagOf = (name) => `tag:${name}`;
/** @param {string} by */
export const tagName = (by) => by.slice(TAG.length);

/** @param {Dimension} by */
export const titleOf = (by) => dimensions[/** @type {keyof typeof dimensions} */ (by)] ?? `Tag ${tagName(by)}`;

/** The name of a line: `acme/web/alice` for a key. @param {ReportLine} line @param {Dimension} by */
export const nameOf = (line, by) => String(line[by] ?? '');

/** @typedef {{ readonly title: string, readonly count: number, readonly bucket: Bucket }} Range */
/**
 * `count` minutes, hours, days or months, including the current one.
 * @type {Readonly<Record<string, Range>>}
 */
export const ranges = {
  '15m': { title: 'Last 15 minutes', count: 15, bucket: 'minute' },
  '1h': { title: 'Last hour', count: 60, bucket: 'minute' },
  '6h': { title: 'Last 6 hours', count: 360, bucket: 'minute' },
  '24h': { title: 'Last 24 hours', count: 24, bucket: 'hour' },
  '7d': { title: 'Last 7 days', count: 7, bucket: 'day' },
  '30d': { title: 'Last 30 days', count: 30, bucket: 'day' },
  '90d': { title: 'Last 90 days', count: 90, bucket: 'day' },
  '1y': { title: 'Last 12 months', count: 12, bucket: 'month' },
};

/** The query of the usage page from its address. @param {Readonly<Record<string, string>>} query */
export const readUsageQuery = ({ range = '24h', from, to, by = 'model', ...others }) => {
  const [today, tomorrow] = [0, 86_400_000].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10));
  return {
    range,
    from: from ?? today ?? '',
    to: to ?? tomorrow ?? '',
    by: /** @type {Dimension} */ (by),
    only: Object.fromEntries(Object.entries(others).filter(([name]) => name in dimensions || name.startsWith(TAG))),
  };
};

/**
 * `range` is one of `ranges`, `yesterday` or `custom`, of which `from` and `to` are.
 * @typedef {ReturnType<typeof readUsageQuery>} UsageQuery
 */

/** @param {number} ms */
const bucketOf = (ms) => (ms <= 3 * 86_400_000 ? 'hour' : ms <= 100 * 86_400_000 ? 'day' : 'month');

/**
 * The start of a whole bucket, so that the chart shows everything that the totals include.
 * @param {Bucket} bucket
 * @param {number} count
 * @param {number} now
 */
const startOfRange = (bucket, count, now) => {
  const at = new Date(now);
  if (bucket === 'minute') return at.setUTCMinutes(at.getUTCMinutes() - count + 1, 0, 0);
  if (bucket === 'hour') return at.setUTCHours(at.getUTCHours() - count + 1, 0, 0, 0);
  at.setUTCHours(0, 0, 0, 0);
  return bucket === 'day'
    ? at.setUTCDate(at.getUTCDate() - count + 1)
    : at.setUTCMonth(at.getUTCMonth() - count + 1, 1);
};

/** @param {Pick<UsageQuery, 'range' | 'from' | 'to'>} query @param {number} now */
export const readPeriod = ({ range, from, to }, now) => {
  const known = ranges[range];
  if (known !== undefined)
    return {
      from: new Date(startOfRange(known.bucket, known.count, now)).toISOString(),
      to: new Date(now).toISOString(),
      bucket: known.bucket,
    };
  const given = range === 'yesterday' ? yesterday(now) : { from, to };
  return { ...given, bucket: bucketOf(Date.parse(given.to) - Date.parse(given.from)) };
};

/**
 * The start of every bucket of a report, in unix milliseconds.
 * @param {Pick<UsageReport, 'from' | 'to' | 'bucket'>} report
 */
export const listBucketStarts = ({ from, to, bucket }) => {
  /** @type {number[]} */
  const starts = [];
  const at = new Date(from);
  const end = Date.parse(to);
  if (bucket === null) return starts;
  while (at.getTime() < end) {
    starts.push(at.getTime());
    if (bucket === 'minute') at.setUTCMinutes(at.getUTCMinutes() + 1);
    else if (bucket === 'hour') at.setUTCHours(at.getUTCHours() + 1);
    else if (bucket === 'day') at.setUTCDate(at.getUTCDate() + 1);
    else at.setUTCMonth(at.getUTCMonth() + 1);
  }
  return starts;
};
