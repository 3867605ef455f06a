import { hash } from 'node:crypto';
import type { GatewayConfig, KeyConfig } from '../../config/gateway-config.ts';
import {
  foldAscii,
  readSort,
  SOON_MS,
  type KeyPosition,
  type KeyQuery,
  type KeyState,
  type Order,
  type Positioned,
  type PositionedKey,
} from '../key-page.ts';
import type { StoredKey } from '../key-row.ts';
import { listConfigured, eachProject, listStored, type ConfiguredKey, type ListedKey } from '../listed-key.ts';

const stateOfConfigured = ({ disabled, expires = Infinity }: KeyConfig, now: number): readonly KeyState[] => {
  if (expires <= now) return ['expired'];
  if (disabled) return ['disabled'];
  return expires < now + SOON_MS ? ['active', 'expiring'] : ['active'];
};

/** A key of the configuration, with its position in both orders. */
interface SortedKey extends ConfiguredKey {
  readonly positions: Readonly<Record<Order, KeyPosition>>;
}

const comparePositions = (one: KeyPosition, other: KeyPosition): number => {
  for (const [index, value] of one.entries()) {
    const its = other[index] ?? '';
    if (value !== its) return value < its ? -1 : 1;
  }
  return 0;
};

/** The keys of a configuration, sorted at their first use. */
export class ConfiguredPages {
  readonly #organizations: GatewayConfig['organizations'];
  readonly #sorted: Partial<Record<Order, readonly SortedKey[]>> = {};
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
    for (const { organization, project, keys } of eachProject(this.#organizations)) {
      const start = `${organization}/${project}/`;
      const name = id.slice(start.length);
      const config = id.startsWith(start) && Object.hasOwn(keys, name) ? keys[name] : undefined;
      if (config !== undefined) return listConfigured(organization, project, name, config);
    }
    return undefined;
  }

  read({
    organization,
    project,
    name,
    owner,
    find,
    states: wanted,
    sort,
    after,
    limit,
    now,
  }: KeyQuery): readonly Positioned<ConfiguredKey>[] {
    if (owner !== undefined) return [];
    const [order, direction] = readSort(sort);
    const needle = foldAscii(find ?? '');
    const sorted = this.#sort(order);
    const found: Positioned<ConfiguredKey>[] = [];
    for (let step = 0; step < sorted.length && found.length < limit; step += 1) {
      const each = sorted[direction === 'asc' ? step : sorted.length - 1 - step];
      if (each === undefined) continue;
      const position = each.positions[order];
      if (
        (organization === undefined || each.organization === organization) &&
        (project === undefined || each.project === project) &&
        (name === undefined || each.name === name) &&
        (after === undefined || (direction === 'asc' ? 1 : -1) * comparePositions(position, after) > 0) &&
        (find === undefined || foldAscii(`${each.organization}/${each.project}/${each.name}`).includes(needle)) &&
        (wanted === undefined || stateOfConfigured(each.config, now).some((state) => wanted.includes(state)))
      )
        found.push({ key: each, position });
    }
    return found;
  }

  #sort(order: Order): readonly SortedKey[] {
    return (this.#sorted[order] ??=
      order === 'created'
        ? this.#collect()
        : [...this.#sort('created')].sort((one, other) => comparePositions(one.positions.name, other.positions.name)));
  }

  #collect(): readonly SortedKey[] {
    const keys: SortedKey[] = [];
    for (const { organization, project, keys: its } of eachProject(this.#organizations))
      for (const [name, config] of Object.entries(its)) {
        const id = `${organization}/${project}/${name}`;
        const positions = {
          created: [0, String(keys.length).padStart(9, '0')],
          name: [organization, project, name, id],
        };
        keys.push({ organization, project, name, config, positions });
      }
    return keys;
  }
}

/** Merges two pages of the same order into one. */
export const mergePages = <One, Other>(
  one: readonly Positioned<One>[],
  other: readonly Positioned<Other>[],
  { sort, limit }: Pick<KeyQuery, 'sort' | 'limit'>,
): readonly Positioned<One | Other>[] => {
  const sign = readSort(sort)[1] === 'asc' ? 1 : -1;
  return [...one, ...other]
    .sort((left, right) => sign * comparePositions(left.position, right.position))
    .slice(0, limit);
};

/** A page as operators see it. */
export const listPage = (
  configured: readonly Positioned<ConfiguredKey>[],
  stored: readonly Positioned<StoredKey>[],
  query: Pick<KeyQuery, 'sort' | 'limit'>,
): readonly PositionedKey[] =>
  mergePages(configured, stored, query).map(({ key, position }) => ({
    key: 'config' in key ? listConfigured(key.organization, key.project, key.name, key.config) : listStored(key),
    position,
  }));
