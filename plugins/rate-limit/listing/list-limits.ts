import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller, Headers, PrimaryServices } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import type { RefusingBudgets } from '../budgets/announce.ts';
import { createCalendar } from '../rules/calendar.ts';
import type { RateLimitOptions } from '../schema.ts';
import { BaselineStore, orLater, type ReadBaseline } from '../store/baseline-store.ts';
import { createRedisStore } from '../store/redis-store.ts';
import type { LimitStore } from '../store/store.ts';
import {
  comparePlaces,
  describeLimit,
  isInState,
  listScopes,
  matches,
  shareOf,
  type MeasuredLimit,
} from './listed-limit.ts';
import { Measure } from './measure.ts';
import { SlowAnswers } from './slow-answers.ts';
import { readLimitQuery, writeCursor, type LimitCursor, type LimitQuery } from './query.ts';

/** Callers that are read at once. */
const CALLERS = 1_000;
/** Budgets whose earlier spending is read from the ledger for one response. */
const MOST_LEDGER_READS = 1_000;

/** A limit and its place in the order. */
interface Place extends LimitCursor {
  readonly limit: MeasuredLimit;
}

/**
 * Reads limits page by page of the callers, and keeps those of the page that is asked for, and one more. The order of
 * the owners is that of the callers, so that the rest is not read; the order of the use is known when all are read.
 */
const find = async (
  query: LimitQuery,
  { callers, tenancy }: Pick<PrimaryServices, 'callers' | 'tenancy'>,
  measure: Measure,
): Promise<readonly Place[]> => {
  const { organization, project, key: name, sort, limit: wanted, cursor } = query;
  let places: readonly Place[] = [];
  let before: Caller | undefined;
  let from = sort === 'owner' ? (cursor?.callers ?? '') : '';
  for (;;) {
    const after = from === '' ? undefined : from;
    const page = await callers(omitUndefined({ organization, project, name, after, limit: CALLERS }));
    const listed = listScopes(page.callers, tenancy, before).filter((limit) => matches(limit, query));
    const found = (await measure.read(listed))
      .filter((limit) => isInState(limit, query))
      .map((limit): Place => ({ sort, callers: from, share: shareOf(limit), position: limit.position, limit }));
    places = [...places, ...found]
      .filter((place) => cursor === undefined || comparePlaces(place, cursor, sort) > 0)
      .sort((one, other) => comparePlaces(one, other, sort))
      .slice(0, wanted + 1);
    if (page.next === undefined || (sort === 'owner' && places.length > wanted)) break;
    before = page.callers.at(-1) ?? before;
    from = page.next;
    await nextTurn();
  }
  return places;
};

/** Reads the first baselines only. The others are left out, and counted. */
const readSome = (read: ReadBaseline): { readonly read: ReadBaseline; readonly unread: () => number } => {
  let count = 0;
  return {
    read: async (account, span) => {
      count += 1;
      return count > MOST_LEDGER_READS ? 'later' : read(account, span);
    },
    unread: () => Math.max(0, count - MOST_LEDGER_READS),
  };
};

/**
 * Lists the limits of the callers in pages, and how much of each is used: docs/govern/limits.md. Changes nothing.
 * @param local the counts of this host, which apply without Redis and while it is not available
 */
export function createListLimits(
  {
    timeZone,
    parts,
    refusing,
    factor,
  }: Pick<RateLimitOptions, 'timeZone' | 'factor'> & {
    /** Among how many hosts limits are divided. */
    parts(): number;
    /** The refusals of budgets are among them. */
    readonly refusing: RefusingBudgets;
  },
  services: PrimaryServices,
  local: LimitStore,
  readBaseline: ReadBaseline,
): (query: Headers) => Promise<object> {
  const { redis, clock } = services;
  const calendar = createCalendar(timeZone);
  const redisStore = redis === undefined ? undefined : createRedisStore(redis);
  const part = (): number => factor / parts();

  const list = async (query: LimitQuery): Promise<object> => {
    const { read, unread } = readSome(readBaseline);
    const measure = new Measure(
      omitUndefined({
        shared: redisStore === undefined ? undefined : new BaselineStore(redisStore, read),
        local: new BaselineStore(local, orLater(read)),
        part,
        refusing,
        calendar,
        clock,
      }),
    );
    const places = await find(query, services, measure);
    const listed = places.slice(0, query.limit);
    const last = places.length > query.limit ? listed.at(-1) : undefined;
    return {
      store: measure.store,
      limits: listed.map(({ limit }) => describeLimit(limit)),
      next: last === undefined ? null : writeCursor(last),
      unread: unread(),
    };
  };
  const slow = new SlowAnswers(clock);
  return async (given) => {
    const query = readLimitQuery(given);
    return slow.get(JSON.stringify(query), () => list(query));
  };
}
