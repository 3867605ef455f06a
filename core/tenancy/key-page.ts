import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Database } from '../services/database/database.ts';
import { readStoredKey, states, type StoredKey } from './key-row.ts';
import { ownedBy } from './lookup/find-keys.ts';
import { listStored, type KeyFilter, type ListedKey } from './listed-key.ts';

/** States of keys. `expiring` keys are `active` as well. */
export const keyStates = ['active', 'expiring', 'expired', 'disabled', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

/** Orders of the list. `created`: the keys of the configuration first, then those of the database, oldest first. */
export const keySorts = ['created', '-created', 'name', '-name'] as const;
export type KeySort = (typeof keySorts)[number];

/** The place of a key in the list: its values in the order of the sort. */
export type KeyPlace = readonly (string | number)[];

/** Selects keys and their order. An absent member matches any value. */
export interface KeyQuery extends KeyFilter {
  /** A part of the place, the id, the prefix or the owner, whatever the case of ASCII letters. */
  readonly find?: string;
  readonly states?: readonly KeyState[];
  readonly sort: KeySort;
  /** Only keys after this place. */
  readonly after?: KeyPlace;
  readonly limit: number;
  /** Unix milliseconds, for the states. */
  readonly now: number;
}

/** A key and its place in the list. */
export interface PlacedKey {
  readonly key: ListedKey;
  readonly place: KeyPlace;
}

/** How long before its end a key is `expiring`. */
export const SOON_MS = 7 * 86_400_000;

const columns = { created: ['created_at', 'id'], name: ['organization', 'project', 'name', 'id'] } as const;
export type Order = keyof typeof columns;
export const readSort = (sort: KeySort): readonly [order: Order, direction: 'asc' | 'desc'] =>
  sort === 'created' || sort === '-created'
    ? ['created', sort === 'created' ? 'asc' : 'desc']
    : ['name', sort === 'name' ? 'asc' : 'desc'];

/** The number of values of a place, and which of them are numbers. */
export const isPlace = (sort: KeySort, place: readonly unknown[]): place is KeyPlace => {
  const its = columns[readSort(sort)[0]];
  return (
    place.length === its.length &&
    place.every((value, index) =>
      its[index] === 'created_at'
        ? Number.isSafeInteger(value)
        : typeof value === 'string' && value.length <= 1_000 && !value.includes('\0'),
    )
  );
};

/** The text with small ASCII letters. */
export const foldAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Both databases, and {@link foldAscii}, ignore the case of ASCII letters only. */
const contains = (needle: string, isPostgres: boolean) => {
  const texts = [sql`organization || '/' || project || '/' || name`, sql`id`, sql`prefix`, sql`coalesce(owner, '')`];
  const position = sql.raw(isPostgres ? 'strpos' : 'instr');
  return sql<boolean>`(${sql.join(
    texts.map((text) => sql`${position}(lower(${text}), ${foldAscii(needle)}) > 0`),
    sql` OR `,
  )})`;
};

const isIn = (state: KeyState, now: number) => {
  const valid = sql`coalesce(expires_at > ${now}, 1 = 1)`;
  return {
    active: sql`disabled = ${states.valid} AND ${valid}`,
    expiring: sql`disabled = ${states.valid} AND expires_at > ${now} AND expires_at < ${now + SOON_MS}`,
    expired: sql`disabled <> ${states.revoked} AND expires_at <= ${now}`,
    disabled: sql`disabled = ${states.disabled} AND ${valid}`,
    revoked: sql`disabled = ${states.revoked}`,
  }[state];
};

const placeStored = (order: Order, key: StoredKey): KeyPlace =>
  order === 'created' ? [key.createdAt, key.id] : [key.organization, key.project, key.name, key.id];

/** Only keys after a place, or up to one, in the order of the sort. */
const isBeyond = (sort: KeySort, place: KeyPlace, isUpTo = false) => {
  const [order, direction] = readSort(sort);
  const its = sql.join(columns[order].map((column) => sql.ref(column)));
  const comparison = (direction === 'asc') === isUpTo ? '<' : '>';
  return sql<boolean>`(${its}) ${sql.raw(isUpTo ? `${comparison}=` : comparison)} (${sql.join(place)})`;
};

/** Which index SQLite uses: that of the order, that of what is searched for, or its choice. Postgres always chooses. */
type Route = 'order' | 'search' | 'any';

/** @param until the last place to look at */
async function readRows(
  database: Database,
  isPostgres: boolean,
  { organization, project, owner, find, states: wanted, sort, after, limit, now }: KeyQuery,
  route: Route,
  until?: KeyPlace,
): Promise<readonly StoredKey[]> {
  const [order, direction] = readSort(sort);
  // SQLite uses no index for an expression.
  const [ofSearch, ofOrder] = [sql.raw(route === 'order' ? '+' : ''), sql.raw(route === 'search' ? '+' : '')];
  let query = database.selectFrom(owner === undefined ? 'keys' : ownedBy(owner).as('keys')).selectAll();
  if (organization !== undefined) query = query.where(sql<boolean>`${ofSearch}organization = ${organization}`);
  if (project !== undefined) query = query.where(sql<boolean>`${ofSearch}project = ${project}`);
  if (find !== undefined) query = query.where(contains(find, isPostgres));
  if (wanted !== undefined)
    query = query.where(
      sql<boolean>`(${sql.join(
        wanted.map((state) => sql`(${isIn(state, now)})`),
        sql` OR `,
      )})`,
    );
  if (after !== undefined) query = query.where(isBeyond(sort, after));
  if (until !== undefined) query = query.where(isBeyond(sort, until, true));
  for (const column of columns[order]) query = query.orderBy(sql`${ofOrder}${sql.ref(column)}`, direction);
  return (await query.limit(limit).execute()).map(readStoredKey);
}

/** Keys that one statement of SQLite examines. It runs in this thread: requests wait for it, some milliseconds. */
const EXAMINED = 4_000;

/** The place of the last key that a statement is to examine; undefined if there are fewer. */
const findLastExamined = async (
  database: Database,
  { sort, after }: Pick<KeyQuery, 'sort' | 'after'>,
): Promise<KeyPlace | undefined> => {
  const [order, direction] = readSort(sort);
  let query = database.selectFrom('keys').select([...columns[order]]);
  if (after !== undefined) query = query.where(isBeyond(sort, after));
  for (const column of columns[order]) query = query.orderBy(column, direction);
  const row = await query
    .limit(1)
    .offset(EXAMINED - 1)
    .executeTakeFirst();
  return row === undefined ? undefined : columns[order].map((column) => row[column]);
};

/** Whether there are so few keys there that one statement can examine all of them. */
const isSmall = async (database: Database, { organization, project }: KeyQuery): Promise<boolean> => {
  if (organization === undefined) return false;
  let query = database.selectFrom('keys').select('id').where('organization', '=', organization);
  if (project !== undefined) query = query.where('project', '=', project);
  return (await query.limit(1).offset(EXAMINED).executeTakeFirst()) === undefined;
};

/** How SQLite finds a page without examining many keys; `order`: it has to, in parts. */
const routeOf = async (database: Database, query: KeyQuery): Promise<Route> => {
  const { organization, project, owner, find, states: wanted } = query;
  const searches = [organization, project, find, wanted].some((each) => each !== undefined);
  if (owner !== undefined || !searches) return 'any';
  return (await isSmall(database, query)) ? 'search' : 'order';
};

/** A page of the keys of the database. */
export async function readStoredPage(
  database: Database,
  isPostgres: boolean,
  query: KeyQuery,
): Promise<readonly PlacedKey[]> {
  const route = isPostgres ? 'any' : await routeOf(database, query);
  const found: StoredKey[] = [];
  let { after } = query;
  let until: KeyPlace | undefined;
  do {
    if (until !== undefined) await nextTurn();
    const { after: _first, ...all } = query;
    const rest: KeyQuery = { ...all, ...(after === undefined ? {} : { after }), limit: query.limit - found.length };
    until = route === 'order' ? await findLastExamined(database, rest) : undefined;
    found.push(...(await readRows(database, isPostgres, rest, route, until)));
    after = until;
  } while (until !== undefined && found.length < query.limit);
  const [order] = readSort(query.sort);
  return found.map((key) => ({ key: listStored(key), place: placeStored(order, key) }));
}
