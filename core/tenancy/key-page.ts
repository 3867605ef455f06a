import { hash } from 'node:crypto';
import type { GatewayConfig, KeyConfig } from '../config/gateway-config.ts';
import { sql, type Database } from '../services/database/database.ts';
import { readStoredKey, states, type StoredKey } from './key-row.ts';
import { listConfigured, listStored, type KeyFilter, type ListedKey } from './listed-key.ts';

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

const SOON_MS = 7 * 86_400_000;

const columns = { created: ['created_at', 'id'], name: ['organization', 'project', 'name', 'id'] } as const;
type Order = keyof typeof columns;
const readSort = (sort: KeySort): readonly [order: Order, direction: 'asc' | 'desc'] =>
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

const foldAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

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

/** A page of the keys of the database. */
export async function readStoredPage(
  database: Database,
  isPostgres: boolean,
  { organization, project, owner, find, states: wanted, sort, after, limit, now }: KeyQuery,
): Promise<readonly PlacedKey[]> {
  const [order, direction] = readSort(sort);
  let query = database.selectFrom('keys').selectAll();
  if (organization !== undefined) query = query.where('organization', '=', organization);
  if (project !== undefined) query = query.where('project', '=', project);
  if (owner !== undefined)
    query = query.where(({ eb, or }) => or([eb('owner', '=', owner), eb('owner_id', '=', owner)]));
  if (find !== undefined) query = query.where(contains(find, isPostgres));
  if (wanted !== undefined)
    query = query.where(
      sql<boolean>`(${sql.join(
        wanted.map((state) => sql`(${isIn(state, now)})`),
        sql` OR `,
      )})`,
    );
  if (after !== undefined)
    query = query.where(
      sql<boolean>`(${sql.join(columns[order].map((column) => sql.ref(column)))}) ${sql.raw(
        direction === 'asc' ? '>' : '<',
      )} (${sql.join(after)})`,
    );
  for (const column of columns[order]) query = query.orderBy(column, direction);
  const rows = await query.limit(limit).execute();
  return rows.map(readStoredKey).map((key) => ({ key: listStored(key), place: placeStored(order, key) }));
}

const stateOfConfigured = ({ disabled, expires = Infinity }: KeyConfig, now: number): readonly KeyState[] => {
  if (expires <= now) return ['expired'];
  if (disabled) return ['disabled'];
  return expires < now + SOON_MS ? ['active', 'expiring'] : ['active'];
};

/** A key of the configuration, with its place in both orders. */
interface ConfiguredKey {
  readonly organization: string;
  readonly project: string;
  readonly name: string;
  readonly config: KeyConfig;
  readonly places: Readonly<Record<Order, KeyPlace>>;
}

const comparePlaces = (one: KeyPlace, other: KeyPlace): number => {
  for (const [index, value] of one.entries()) {
    const its = other[index] ?? '';
    if (value !== its) return value < its ? -1 : 1;
  }
  return 0;
};

/** The keys of a configuration, sorted at their first use. */
export class ConfiguredPages {
  readonly #organizations: GatewayConfig['organizations'];
  readonly #sorted: Partial<Record<Order, readonly ConfiguredKey[]>> = {};
  #digest: string | undefined;

  constructor(organizations: GatewayConfig['organizations']) {
    this.#organizations = organizations;
  }

  /** Identifies which keys there are. */
  get digest(): string {
    return (this.#digest ??= hash(
      'sha256',
      this.#sort('created')
        .map(({ organization, project, name }) => `${organization}\0${project}\0${name}`)
        .join('\n'),
    ));
  }

  find(id: string): ListedKey | undefined {
    for (const [organization, { projects }] of Object.entries(this.#organizations)) {
      if (!id.startsWith(`${organization}/`)) continue;
      for (const [project, { keys }] of Object.entries(projects)) {
        const start = `${organization}/${project}/`;
        const name = id.slice(start.length);
        const config = id.startsWith(start) && Object.hasOwn(keys, name) ? keys[name] : undefined;
        if (config !== undefined) return listConfigured(organization, project, name, config);
      }
    }
    return undefined;
  }

  read({ organization, project, owner, find, states: wanted, sort, after, limit, now }: KeyQuery): PlacedKey[] {
    if (owner !== undefined) return [];
    const [order, direction] = readSort(sort);
    const needle = foldAscii(find ?? '');
    const sorted = this.#sort(order);
    const found: PlacedKey[] = [];
    for (let step = 0; step < sorted.length && found.length < limit; step += 1) {
      const each = sorted[direction === 'asc' ? step : sorted.length - 1 - step];
      if (each === undefined) continue;
      const place = each.places[order];
      if (
        (organization === undefined || each.organization === organization) &&
        (project === undefined || each.project === project) &&
        (after === undefined || (direction === 'asc' ? 1 : -1) * comparePlaces(place, after) > 0) &&
        (find === undefined || foldAscii(`${each.organization}/${each.project}/${each.name}`).includes(needle)) &&
        (wanted === undefined || stateOfConfigured(each.config, now).some((state) => wanted.includes(state)))
      )
        found.push({ key: listConfigured(each.organization, each.project, each.name, each.config), place });
    }
    return found;
  }

  #sort(order: Order): readonly ConfiguredKey[] {
    return (this.#sorted[order] ??=
      order === 'created'
        ? this.#collect()
        : [...this.#sort('created')].sort((one, other) => comparePlaces(one.places.name, other.places.name)));
  }

  #collect(): readonly ConfiguredKey[] {
    const keys: ConfiguredKey[] = [];
    for (const [organization, { projects }] of Object.entries(this.#organizations))
      for (const [project, { keys: its }] of Object.entries(projects))
        for (const [name, config] of Object.entries(its)) {
          const id = `${organization}/${project}/${name}`;
          const places = {
            created: [0, String(keys.length).padStart(9, '0')],
            name: [organization, project, name, id],
          };
          keys.push({ organization, project, name, config, places });
        }
    return keys;
  }
}

/** Merges two pages of the same order into one. */
export const mergePages = (
  one: readonly PlacedKey[],
  other: readonly PlacedKey[],
  { sort, limit }: Pick<KeyQuery, 'sort' | 'limit'>,
): readonly PlacedKey[] => {
  const sign = readSort(sort)[1] === 'asc' ? 1 : -1;
  return [...one, ...other].sort((left, right) => sign * comparePlaces(left.place, right.place)).slice(0, limit);
};
