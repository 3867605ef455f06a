import { invalidRequest, type Headers } from '../../../core/api/index.ts';
import { omitUndefined, parseJson } from '../../../core/api/codec.ts';
import { checkParameters, readChoice, readLimit } from '../../../core/api/internal.ts';

const kinds = ['budget', 'rate'] as const;
const states = ['near', 'spent'] as const;
const sorts = ['owner', '-owner', 'used', '-used'] as const;
export type LimitSort = (typeof sorts)[number];

const MOST = 1_000;
const DEFAULT = 500;

/** The parameters of GET /admin/limits, and what they select. */
export const limitParameters = {
  organization: 'Only this organization.',
  project: 'Only projects of this name.',
  key: 'Only limits that apply to keys of this name: their own, and those that they share.',
  find: 'Only limits of owners with this text in organization/project/key.',
  kind: 'Only budgets (budget), or only the other limits (rate).',
  state:
    'near: only limits that are used to 80% or more, and budgets that have refused a request. ' +
    'spent: only limits that are used to 99.5% or more.',
  sort: `The order: ${sorts.join(', ')}. Default: owner, each organization before its projects and their keys.`,
  limit: `The number of limits, at most 1,000. Default: ${DEFAULT}.`,
  cursor: 'The "next" of the previous page, with the same other parameters.',
} as const;
const names = Object.keys(limitParameters);

/** Organization, project, name and key of the owner, then the place among the limits of the owner, and the bucket. */
export type LimitPosition = readonly [...names: string[], place: number, bucket: string];

/** The last limit of a page. */
export interface LimitCursor {
  readonly sort: LimitSort;
  /** `next` of the callers before those in which the limit was found. Empty: they were the first ones. */
  readonly callers: string;
  /** The used share. Not read where the order is that of the owners. */
  readonly share: number;
  readonly position: LimitPosition;
}

/** Selects limits and their order. An absent member matches any value. */
export interface LimitQuery {
  readonly organization?: string;
  readonly project?: string;
  readonly key?: string;
  readonly find?: string;
  readonly kind?: (typeof kinds)[number];
  readonly state?: (typeof states)[number];
  readonly sort: LimitSort;
  readonly limit: number;
  readonly cursor?: LimitCursor;
}

export const writeCursor = ({ sort, callers, share, position }: LimitCursor): string =>
  Buffer.from(JSON.stringify([sort, callers, share, ...position])).toString('base64url');

const isPosition = (given: readonly unknown[]): given is LimitPosition =>
  given.length === 6 && given.every((value, index) => typeof value === (index === 4 ? 'number' : 'string'));

const readCursor = (sort: LimitSort, given: string | undefined): LimitCursor | undefined => {
  if (given === undefined) return undefined;
  const read = parseJson(Buffer.from(given, 'base64url').toString());
  const [first, callers, share, ...position] = Array.isArray(read) ? (read as readonly unknown[]) : [];
  if (first === sort && typeof callers === 'string' && typeof share === 'number' && isPosition(position))
    return { sort, callers, share, position };
  throw invalidRequest('cursor', 'cursor must be the "next" of an earlier response with the same sort.');
};

/** @throws GatewayError `invalid_request` */
export const readLimitQuery = (query: Headers): LimitQuery => {
  checkParameters(query, names);
  const { organization, project, key, find } = query;
  const sort = readChoice('sort', query['sort'], sorts) ?? 'owner';
  return omitUndefined({
    organization,
    project,
    key,
    find: find?.toLowerCase(),
    kind: readChoice('kind', query['kind'], kinds),
    state: readChoice('state', query['state'], states),
    sort,
    limit: readLimit(query, DEFAULT, MOST),
    cursor: readCursor(sort, query['cursor']),
  });
};
