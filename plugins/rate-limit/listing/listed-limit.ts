import type { Caller, CallerScope, Limit, Tenancy } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { createBucket } from '../rules/buckets.ts';
import { describeAmount, describeTerms } from '../rules/describe-limit.ts';
import type { Bucket, BucketState } from '../store/store.ts';
import type { LimitCursor, LimitPosition, LimitQuery } from './query.ts';

/** A limit of a key, project or organization, and the bucket that counts it. */
export interface ListedLimit {
  readonly scope: CallerScope;
  readonly limit: Limit;
  readonly bucket: Bucket;
  readonly position: LimitPosition;
}

/** A limit and what is used of it. */
export interface MeasuredLimit extends ListedLimit {
  /** Absent for a limit that counts for each user or tag: there could be any number of them. */
  readonly state?: BucketState;
  /** A budget that has refused a request in its window. */
  readonly refuses: boolean;
}

const PERSONAL = 'personal:';

/**
 * The limits of callers, each once. Callers are in the order of their names, so that the limits of an organization or
 * a project come with the first of its callers only.
 * @param before the last caller of the page before
 */
export const listScopes = (
  callers: readonly Caller[],
  tenancy: Pick<Tenancy, 'scopes'>,
  before: Caller | undefined,
): readonly ListedLimit[] => {
  const listed = new Map<string, ListedLimit>();
  let last = before;
  for (const caller of callers) {
    const { organization, project, key, personal } = caller;
    const isSame = {
      organization: last?.organization === organization,
      project: last?.organization === organization && last.project === project,
      key: before?.organization === organization && before.project === project && before.key === key,
    };
    const name = personal === true ? key.slice(PERSONAL.length) : key;
    for (const scope of tenancy.scopes(caller)) {
      if (isSame[scope.scope]) continue;
      const [, ofProject = '', ofKey = ''] = scope.path;
      for (const [place, limit] of scope.limits.entries()) {
        const bucket = createBucket(scope, limit);
        const known = listed.get(`${organization}\n${bucket.key}`);
        // Two keys of a rotation have the same name, and can have different amounts.
        if (known !== undefined && known.bucket.limit <= bucket.limit) continue;
        const position: LimitPosition = [organization, ofProject, ofKey && name, ofKey, place, bucket.key];
        listed.set(`${organization}\n${bucket.key}`, { scope, limit, bucket, position });
      }
    }
    last = caller;
  }
  return [...listed.values()];
};

/** Whether the limit is one that is asked for, as far as its use does not decide. */
export const matches = ({ scope, limit }: ListedLimit, { find, kind }: LimitQuery): boolean =>
  (kind === undefined || (limit.unit === 'cost') === (kind === 'budget')) &&
  (find === undefined || scope.path.join('/').toLowerCase().includes(find));

/** The used share. -1: it is not known. */
export const shareOf = ({ bucket, state }: MeasuredLimit): number =>
  state === undefined ? -1 : (bucket.limit - state.remaining) / bucket.limit;

/** From here on the dashboard shows 100 %: no request of a usual size fits into it any more. */
const SPENT = 0.995;
const NEAR = 0.8;

export const isInState = (limit: MeasuredLimit, { state }: LimitQuery): boolean =>
  state === undefined || shareOf(limit) >= (state === 'spent' ? SPENT : NEAR) || (state === 'near' && limit.refuses);

const comparePositions = (one: LimitPosition, other: LimitPosition): number => {
  for (const [index, value] of one.entries()) {
    const its = other[index] ?? '';
    if (value !== its) return value < its ? -1 : 1;
  }
  return 0;
};

type Placed = Pick<LimitCursor, 'share' | 'position'>;

/** Limits that are used to the same share are in the order of their owners. */
export const comparePlaces = (one: Placed, other: Placed, sort: LimitQuery['sort']): number => {
  const byOwner = comparePositions(one.position, other.position);
  switch (sort) {
    case 'owner':
      return byOwner;
    case '-owner':
      return -byOwner;
    case 'used':
      return one.share - other.share || byOwner;
    case '-used':
      return other.share - one.share || byOwner;
  }
};

/** The JSON form for operators. */
export const describeLimit = ({ scope: { scope, path }, limit, bucket, state, refuses }: MeasuredLimit): object => {
  const [organization, project, key] = path;
  const read = (count: number): number => Number(describeAmount(limit.unit, count));
  return omitUndefined({
    scope,
    organization,
    project,
    key,
    ...describeTerms(limit),
    limit: read(bucket.limit),
    spent: state?.spent === undefined ? undefined : read(state.spent),
    refuses: limit.unit === 'cost' ? refuses : undefined,
    used: state === undefined ? undefined : read(bucket.limit - state.remaining),
    resetMs: state === undefined ? undefined : Math.ceil(state.resetMs),
  });
};
