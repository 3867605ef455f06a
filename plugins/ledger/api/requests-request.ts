import { invalidRequest, type Headers, type OutcomeClass } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { checkParameters, classOf } from '../../../core/api/internal.ts';
import { searchDimensions, type SearchCursor, type SearchQuery } from '../read/search-query.ts';
import { isTagName } from '../read/usage-name.ts';
import { outcomeNames, type LedgerTable } from '../tables.ts';
import { readNames, readTime } from './usage-request.ts';

type OutcomeName = NonNullable<LedgerTable['outcome']>;

const outcomes: readonly OutcomeName[] = [...outcomeNames, 'shed'];
/** `client_error` is both an outcome and a class. */
const classes: readonly OutcomeClass[] = ['success', 'client_error', 'limited', 'failure'];

const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 500;
const MAX_VALUES = 50;
const NANO_DOLLARS = 1e9;

const parameters = [
  'from',
  'to',
  ...searchDimensions,
  'user',
  'outcome',
  'code',
  'status',
  'minDurationMs',
  'minCost',
  'tag',
  'limit',
  'cursor',
] as const;
type Query = Readonly<Partial<Record<(typeof parameters)[number], string>>>;

const readList = (query: Query, name: keyof Query): readonly string[] | undefined => {
  if (query[name] === undefined) return undefined;
  const values = readNames(name, query[name]);
  if (values.length > MAX_VALUES) throw invalidRequest(name, `${name} has more than ${MAX_VALUES} values.`);
  return values;
};

const readNumber = (query: Query, name: keyof Query, [least, most]: readonly [number, number]): number | undefined => {
  const text = query[name];
  if (text === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw invalidRequest(name, `${name} must be a number from ${least} to ${most}, not ${text.slice(0, 32)}.`);
  return value;
};

const readOutcome = (name: string): readonly OutcomeName[] => {
  const isClass = classes.some((each) => each === name);
  const found = outcomes.filter((outcome) => (isClass ? classOf(outcome) : outcome) === name);
  if (found.length > 0) return found;
  const known = [...new Set<string>([...classes, ...outcomes])];
  throw invalidRequest('outcome', `outcome must be one or several of ${known.join(', ')}, separated by commas.`);
};

const readStatus = (text: string): number => {
  if (/^[1-5]\d\d$/.test(text)) return Number(text);
  throw invalidRequest('status', 'status must be a status such as 429, or several, separated by commas.');
};

const readTag = (text: string): SearchQuery['tags'][number] => {
  const colon = text.indexOf(':');
  const [name, value] = [text.slice(0, colon), text.slice(colon + 1)];
  if (colon < 1 || value === '' || !isTagName(`tag:${name}`))
    throw invalidRequest('tag', 'tag must be the name of a tag and its value, such as team:blue.');
  return { name, value };
};

export const writeCursor = ({ at, id }: SearchCursor): string => `${at.toString(36)}.${id}`;
const readCursor = (text: string): SearchCursor => {
  const [, at, id] = /^([0-9a-z]{1,11})\.([\w~-]{1,128})$/.exec(text) ?? [];
  if (at === undefined || id === undefined)
    throw invalidRequest('cursor', 'cursor must be the `next` of an earlier page of the same search.');
  return { at: Number.parseInt(at, 36), id };
};

/**
 * Reads the parameters of `GET /admin/requests`.
 * @param accepted those that the caller may use
 * @throws GatewayError 400 that names the invalid parameter
 */
export function readRequestsRequest(query: Headers, accepted: readonly string[] = parameters): SearchQuery {
  checkParameters(query, accepted);
  const known: Query = query;
  const from = known.from === undefined ? undefined : readTime('from', known.from, 0);
  const to = known.to === undefined ? undefined : readTime('to', known.to, 0);
  if (from !== undefined && to !== undefined && from >= to) throw invalidRequest('from', 'from must be before to.');
  const dimensions = Object.fromEntries(
    searchDimensions.flatMap((name) => {
      const values = readList(known, name);
      return values === undefined ? [] : [[name, values]];
    }),
  );
  const minCost = readNumber(known, 'minCost', [0, 1e6]);
  return omitUndefined({
    from,
    to,
    dimensions,
    users: readList(known, 'user'),
    outcomes: readList(known, 'outcome')?.flatMap(readOutcome),
    codes: readList(known, 'code'),
    statuses: readList(known, 'status')?.map(readStatus),
    minDurationMs: readNumber(known, 'minDurationMs', [0, 1e12]),
    minCost: minCost === undefined ? undefined : Math.round(minCost * NANO_DOLLARS),
    tags: known.tag === undefined ? [] : [readTag(known.tag)],
    limit: Math.floor(readNumber(known, 'limit', [1, MAX_LIMIT]) ?? DEFAULT_LIMIT),
    after: known.cursor === undefined ? undefined : readCursor(known.cursor),
  });
}
