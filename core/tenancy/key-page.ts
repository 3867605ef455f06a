import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Database } from '../services/database/database.ts';
import { readStoredKey, states, type StoredKey } from './key-row.ts';
import { ownedBy } from './lookup/find-keys.ts';
import type { KeyFilter, ListedKey } from './listed-key.ts';

/** States of keys. `expiring` keys are `active` as well. */
export const keyStates = ['active', 'expiring', 'expired', 'disabled', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

/** Orders of the list. `created`: the keys of the configuration first, then those of the database, oldest first. */
export const keySorts = ['created', '-created', 'name', '-name'] as const;
export type KeySort = (typeof keySorts)[number];

/** The position of a key in the list: its values in the order of the sort. */
export type KeyPosition = readonly (string | number)[];

/** Selects keys and their order. An absent member matches any value. */
export interface KeyQuery extends KeyFilter {
  readonly name?: string;
  /** A part of the qualified name, the id, the prefix or the owner, whatever the case of ASCII letters. */
  readonly find?: string;
  readonly states?: readonly KeyState[];
  readonly sort: KeySort;
  /** Only keys after this position. */
  readonly after?: KeyPosition;
  readonly limit: number;
  /** Unix milliseconds, for the states. */
  readonly now: number;
}

/** A key and its position in the list. */
export interface Positioned<Key> {
  readonly key: Key;
  readonly position: KeyPosition;
}
export type PositionedKey = Positioned<ListedKey>;

/** How long before its end a key is `expiring`. */
export const SOON_MS = 7 * 86_400_000;

const columns = { created: ['created_at', 'id'], name: ['organization', 'project', 'name', 'id'] } as const;
export type Order = keyof typeof columns;
export const readSort = (sort: KeySort): readonly [order: Order, direction: 'asc' | 'desc'] =>
  sort === 'created' || sort === '-created'
    ? ['created', sort === 'created' ? 'asc' : 'desc']
    : ['name', sort === 'name' ? 'asc' : 'desc'];

/** The number of values of a position, and which of them are numbers. */
export const isKeyPosition = (sort: KeySort, position: readonly unknown[]): position is KeyPosition => {
  const its = columns[readSort(sort)[0]];
  return (
    position.length === its.length &&
    position.every((value, index) =>
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

const positionOf = (order: Order, key: StoredKey): KeyPosition =>
  order === 'created' ? [key.createdAt, key.id] : [key.organization, key.project, key.name, key.id];

/** Only keys after a position, or up to one, in the order of the sort. */
const isBeyond = (sort: KeySort, position: KeyPosition, isUpTo = false) => {
  const [order, direction] = readSort(sort);
  const its = sql.join(columns[order].map((column) => sql.ref(column)));
  const comparison = (direction === 'asc') === isUpTo ? '<' : '>';
  return sql<boolean>`(${its}) ${sql.raw(isUpTo ? `${comparison}=` : comparison)} (${sql.join(position)})`;
};

/**
 * How a page is found: along the order, in parts; by what is searched for; or as the database chooses. Postgres also
 * chooses in a part.
 */
type Route = 'order' | 'search' | 'any';

/** @param until the last position to look at */
async function readRows(
  database: Database,
  isPostgres: boolean,
  { organization, project, name, owner, find, states: wanted, sort, after, limit, now }: KeyQuery,
  route: Route,
  until?: KeyPosition,
): Promise<readonly StoredKey[]> {
  const [order, direction] = readSort(sort);
  // SQLite uses no index for an expression.
  const plus = isPostgres ? '' : '+';
  const [ofSearch, ofOrder] = [sql.raw(route === 'order' ? plus : ''), sql.raw(route === 'search' ? plus : '')];
  let query = database.selectFrom(owner === undefined ? 'keys' : ownedBy(owner).as('keys')).selectAll();
  if (organization !== undefined) query = query.where(sql<boolean>`${ofSearch}organization = ${organization}`);
  if (project !== undefined) query = query.where(sql<boolean>`${ofSearch}project = ${project}`);
  if (name !== undefined) query = query.where('name', '=', name);
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

/**
 * Keys that one statement examines. One of SQLite runs in this thread, and requests wait for it, some milliseconds; one
 * of Postgres has two seconds.
 */
const examinedBy = (isPostgres: boolean): number => (isPostgres ? 100_000 : 4_000);

/** The position of the last key that a statement is to examine; undefined if there are fewer. */
const findLastExamined = async (
  database: Database,
  isPostgres: boolean,
  { sort, after }: Pick<KeyQuery, 'sort' | 'after'>,
): Promise<KeyPosition | undefined> => {
  const [order, direction] = readSort(sort);
  let query = database.selectFrom('keys').select([...columns[order]]);
  if (after !== undefined) query = query.where(isBeyond(sort, after));
  for (const column of columns[order]) query = query.orderBy(column, direction);
  const row = await query
    .limit(1)
    .offset(examinedBy(isPostgres) - 1)
    .executeTakeFirst();
  return row === undefined ? undefined : columns[order].map((column) => row[column]);
};

/** Whether there are so few keys there that one statement can examine all of them. */
const isSmall = async (
  database: Database,
  isPostgres: boolean,
  { organization, project }: KeyQuery,
): Promise<boolean> => {
  if (organization === undefined) return false;
  let query = database.selectFrom('keys').select('id').where('organization', '=', organization);
  if (project !== undefined) query = query.where('project', '=', project);
  return (await query.limit(1).offset(examinedBy(isPostgres)).executeTakeFirst()) === undefined;
};

/** How a page is found without examining many keys; `order`: they have to be, in parts. */
const routeOf = async (database: Database, isPostgres: boolean, query: KeyQuery): Promise<Route> => {
  const { organization, project, name, owner, find, states: wanted } = query;
  const searches = [organization, project, find, wanted].some((each) => each !== undefined);
  if (owner !== undefined || name !== undefined || !searches) return 'any';
  return (await isSmall(database, isPostgres, query)) ? 'search' : 'order';
};

/** A page of the keys of the database. */
export async function readStoredPage(
  database: Database,
  isPostgres: boolean,
  query: KeyQuery,
): Promise<readonly Positioned<StoredKey>[]> {
  const route = await routeOf(database, isPostgres, query);
  const found: StoredKey[] = [];
  let { after } = query;
  let until: KeyPosition | undefined;
  do {
    if (until !== undefined) await nextTurn();
    const { after: _first, ...all } = query;
    const rest: KeyQuery = { ...all, ...(after === undefined ? {} : { after }), limit: query.limit - found.length };
    until = route === 'order' ? await findLastExamined(database, isPostgres, rest) : undefined;
    found.push(...(await readRows(database, isPostgres, rest, route, until)));
    after = until;
  } while (until !== undefined && found.length < query.limit);
  const [order] = readSort(query.sort);
  return found.map((key) => ({ key, position: positionOf(order, key) }));
}
