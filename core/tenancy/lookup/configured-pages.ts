import { hash } from 'node:crypto';
import type { GatewayConfig, KeyConfig } from '../../config/gateway-config.ts';
import {
  foldAscii,
  readSort,
  SOON_MS,
  type KeyPlace,
  type KeyQuery,
  type KeyState,
  type Order,
  type PlacedKey,
} from '../key-page.ts';
import { listConfigured, type ConfiguredKey, type ListedKey } from '../listed-key.ts';

const stateOfConfigured = ({ disabled, expires = Infinity }: KeyConfig, now: number): readonly KeyState[] => {
  if (expires <= now) return ['expired'];
  if (disabled) return ['disabled'];
  return expires < now + SOON_MS ? ['active', 'expiring'] : ['active'];
};

/** A key of the configuration, with its place in both orders. */
interface SortedKey extends ConfiguredKey {
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

  #sort(order: Order): readonly SortedKey[] {
    return (this.#sorted[order] ??=
      order === 'created'
        ? this.#collect()
        : [...this.#sort('created')].sort((one, other) => comparePlaces(one.places.name, other.places.name)));
  }

  #collect(): readonly SortedKey[] {
    const keys: SortedKey[] = [];
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
