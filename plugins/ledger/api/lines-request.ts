import { invalidRequest, type Headers } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import type { ReportQuery, Top } from '../read/report.ts';
import { measures, type Grouping, type Measure } from '../read/source.ts';
import type { UsageKey } from '../read/lines.ts';

/** The parameters that choose which lines of a report are returned. */
export const linesParameters = ['limit', 'cursor', 'top', 'sort', 'percentiles'] as const;

/** Lines of a page, and at most. */
const LIMITS = { default: 1_000, most: 5_000 };
const MAX_TOP = 100;

const readCount = (name: 'limit' | 'top', text: string | undefined, most: number): number | undefined => {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
  throw invalidRequest(name, `${name} must be a number from 1 to ${most}.`);
};

const isMeasure = (name: string): name is Measure => Object.hasOwn(measures, name);

const readTop = ({ top, sort, cursor, limit }: Headers, by: Grouping['by']): Top | undefined => {
  const count = readCount('top', top, MAX_TOP);
  if (sort !== undefined && !isMeasure(sort))
    throw invalidRequest('sort', `sort must be one of ${Object.keys(measures).join(', ')}.`);
  if (count === undefined) {
    if (sort !== undefined) throw invalidRequest('sort', 'sort is the order of top: write top=10 as well.');
    return undefined;
  }
  if (by.length === 0) throw invalidRequest('top', 'top chooses lines of by: write by=model, for example.');
  const paged = cursor === undefined ? (limit === undefined ? undefined : 'limit') : 'cursor';
  if (paged !== undefined) throw invalidRequest(paged, `A report with top has one page: leave out ${paged}.`);
  return { count, measure: sort ?? 'cost' };
};

/** The last line of a page as text. */
export const writeCursor = ({ by }: Pick<Grouping, 'by'>, { start, dimensions }: UsageKey): string =>
  Buffer.from(JSON.stringify([start ?? null, ...by.map((name) => dimensions[name] ?? '')])).toString('base64url');

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const readCursor = (text: string, { step, by }: Grouping): UsageKey => {
  const parts = readJson(Buffer.from(text, 'base64url').toString());
  const [start, ...group]: readonly unknown[] = Array.isArray(parts) ? parts : [];
  const isStart = step === undefined ? start === null : Number.isSafeInteger(start);
  if (!isStart || group.length !== by.length || !group.every((value) => typeof value === 'string'))
    throw invalidRequest('cursor', 'cursor must be the `next` of an earlier page of the same report.');
  return omitUndefined({
    start: step === undefined ? undefined : Number(start),
    dimensions: Object.fromEntries(by.map((name, index) => [name, String(group[index])])),
  });
};

/** What `readLines` returns. */
export type LinesRequest = Pick<ReportQuery, 'limit' | 'after' | 'top'> & {
  readonly hasPercentiles: boolean;
  /** The parameter was given: the client reads page by page. */
  readonly isPaged: boolean;
};

/** @throws GatewayError 400 that names the invalid parameter */
export function readLines(query: Headers, grouping: Grouping): LinesRequest {
  const { limit, cursor, percentiles } = query;
  if (percentiles !== undefined && percentiles !== 'true' && percentiles !== 'false')
    throw invalidRequest('percentiles', 'percentiles must be true or false.');
  return omitUndefined({
    top: readTop(query, grouping.by),
    limit: readCount('limit', limit, LIMITS.most) ?? (query['format'] === 'csv' ? LIMITS.most : LIMITS.default),
    after: cursor === undefined ? undefined : readCursor(cursor, grouping),
    hasPercentiles: percentiles === 'true',
    isPaged: limit !== undefined || cursor !== undefined,
  });
}
