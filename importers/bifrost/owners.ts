import type { JsonObject } from '../../core/api/index.ts';
import { isObject, omitUndefined, readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath, KeyPlace } from '../../core/api/internal.ts';
import { freeName, plainName, variableName } from '../shared/names.ts';
import type { Notes } from '../shared/notes.ts';
import { textOf } from '../shared/read.ts';
import type { Variables } from '../shared/variables.ts';
import { allowedBy, readAccess } from './access.ts';
import { selecting, type Catalog } from './catalog.ts';
import { plainText } from './plain-text.ts';
import { tighten, type Limits } from './limits.ts';

/** The organization and project of keys that name none. */
const DEFAULT = 'default';
const keyCarried = [
  'id',
  'name',
  'description',
  'value',
  'is_active',
  'team_id',
  'customer_id',
  'provider_configs',
  'expires_at',
  'budget_id',
  'budgets',
  'rate_limit_id',
  'rate_limits',
];
const groupCarried = ['id', 'name', 'customer_id', 'budget_id', 'budgets', 'rate_limit_id', 'rate_limits'];

interface Parts {
  readonly notes: Notes;
  readonly variables: Variables;
  readonly limits: Limits;
  readonly catalog: Catalog;
  /** The keys of each provider, as the file has them. */
  readonly providers: JsonObject;
  /** In version 1 an empty list allows everything. */
  readonly isOld: boolean;
  /** Limits of all traffic for some models. */
  readonly shared: (to: ConfigPath) => readonly JsonObject[];
  /** Limits of one virtual key for some models. */
  readonly ofKey: (id: string | undefined, to: ConfigPath) => readonly JsonObject[];
}

interface Project {
  limits?: readonly JsonObject[];
  keys?: Record<string, JsonObject>;
}
interface Organization {
  limits?: readonly JsonObject[];
  projects?: Record<string, Project>;
}

/** A name for our file, from the name or the id of a part. */
const nameOf = (part: JsonObject): string =>
  plainName((textOf(part['name']) ?? textOf(part['id']) ?? '').toLowerCase());

const unlessNone = (limits: readonly JsonObject[]): readonly JsonObject[] | undefined =>
  limits.length === 0 ? undefined : limits;

/** A virtual key, and where it is in the result. */
export interface PlacedKey {
  readonly key: JsonObject;
  readonly place: KeyPlace;
}

class Owners {
  readonly organizations: Record<string, Organization> = {};
  readonly keys: PlacedKey[] = [];
  readonly #parts: Parts;
  readonly #customers = new Map<string, string>();
  /** The imported keys by their secrets. */
  readonly #secrets = new Map<string, KeyPlace>();
  readonly #teams = new Map<string, { readonly organization: string; readonly project: string }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  addCustomer(customer: JsonObject, at: ConfigPath): void {
    const { notes, limits } = this.#parts;
    const name = freeName(nameOf(customer), (taken) => Object.hasOwn(this.organizations, taken));
    this.#customers.set(textOf(customer['id']) ?? '', name);
    const to: ConfigPath = ['organizations', name];
    notes.noteUnsupported(customer, at, groupCarried, to);
    this.organizations[name] = omitUndefined({ limits: unlessNone(limits.of(customer, 'customer_id', { at, to })) });
  }

  addTeam(team: JsonObject, at: ConfigPath): void {
    const { notes, limits } = this.#parts;
    const organization = this.#customers.get(textOf(team['customer_id']) ?? '') ?? DEFAULT;
    const projects = this.#projectsOf(organization);
    const project = freeName(nameOf(team), (taken) => Object.hasOwn(projects, taken));
    this.#teams.set(textOf(team['id']) ?? '', { organization, project });
    const to: ConfigPath = ['organizations', organization, 'projects', project];
    notes.noteUnsupported(team, at, groupCarried, to);
    projects[project] = omitUndefined({ limits: unlessNone(limits.of(team, 'team_id', { at, to })) });
  }

  addKey(key: JsonObject, at: ConfigPath): void {
    const { organization, project } = this.#teams.get(textOf(key['team_id']) ?? '') ?? {
      organization: this.#customers.get(textOf(key['customer_id']) ?? '') ?? DEFAULT,
      project: DEFAULT,
    };
    for (const [member, known] of [['team_id', this.#teams] as const, ['customer_id', this.#customers] as const])
      if (textOf(key[member]) !== undefined && !known.has(textOf(key[member]) ?? ''))
        this.#parts.notes.note([...at, member], 'This is not in the file, so the key is in the organization default.');
    const projects = this.#projectsOf(organization);
    const keys = ((projects[project] ??= {}).keys ??= {});
    const name = freeName(nameOf(key), (taken) => Object.hasOwn(keys, taken));
    const to: ConfigPath = ['organizations', organization, 'projects', project, 'keys', name];
    this.#parts.notes.noteUnsupported(key, at, keyCarried, to);
    const secret = this.#readSecret(key, at, to);
    const same = this.#secrets.get(secret);
    const place = same ?? { organization, project, name };
    this.keys.push({ key, place });
    if (same !== undefined) {
      const text = `It has the same secret as the key ${same.name}, so it is not imported. Give each key its own.`;
      this.#parts.notes.note([...at, 'value'], text, ['organizations']);
      return;
    }
    this.#secrets.set(secret, place);
    keys[name] = omitUndefined({
      key: secret,
      ...readAccess(key, { at, to }, this.#parts),
      limits: unlessNone(this.#readLimits(key, at, to)),
      expires: /^\d{4}-\d{2}-\d{2}/.exec(textOf(key['expires_at']) ?? '')?.[0],
    });
  }

  /** Limits of all traffic apply to an organization, if there is one only. */
  addShared(at: ConfigPath): void {
    const names = Object.keys(this.organizations);
    const name = names[0] ?? DEFAULT;
    const to: ConfigPath = ['organizations', name];
    if (names.length > 1) {
      this.#parts.notes.note(
        at,
        'There are no limits across organizations. Those for all traffic are left out: set them in each organization.',
        ['organizations'],
      );
      return;
    }
    const shared = this.#parts.shared(to);
    if (shared.length === 0) return;
    const organization = (this.organizations[name] ??= {});
    organization.limits = tighten([...(organization.limits ?? []), ...shared]);
  }

  #projectsOf(organization: string): Record<string, Project> {
    return ((this.organizations[organization] ??= {}).projects ??= {});
  }

  #readSecret(key: JsonObject, at: ConfigPath, to: ConfigPath): string {
    const { variables, notes } = this.#parts;
    const preferred = variableName(String(to.at(-1)));
    const placeholder = `stand-in-${to.join('-')}`;
    const note = (from: ConfigPath, text: string): void => notes.note(from, text, to);
    const given = variables.requiredSecret(plainText(key['value']), [...at, 'value'], preferred, note, placeholder);
    if (given !== undefined) return given;
    const variable = variables.reserve(preferred);
    note(at, `Bifrost generated this key, and stores it in its database. Set ${variable} to it, or to a new one.`);
    return variables.require(variable, placeholder);
  }

  #readLimits(key: JsonObject, at: ConfigPath, to: ConfigPath): readonly JsonObject[] {
    const { limits, isOld, ofKey, catalog } = this.#parts;
    return tighten([
      ...limits.of(key, 'virtual_key_id', { at, to }),
      ...readList(key['provider_configs']).flatMap((config, index) => {
        const models = selecting(catalog, allowedBy(readObject(config), isOld));
        const where = [...at, 'provider_configs', index];
        return models.length === 0
          ? []
          : limits.of(readObject(config), 'provider_config_id', { at: where, to, models });
      }),
      ...ofKey(textOf(key['id']), to),
    ]);
  }
}

/** Reads customers, teams and virtual keys as `organizations`. */
export function readOwners(source: JsonObject, parts: Parts): Pick<Owners, 'organizations' | 'keys'> {
  const governance = readObject(source['governance']);
  const owners = new Owners(parts);
  const each = (name: string, add: (part: JsonObject, at: ConfigPath) => void): void => {
    for (const [index, part] of readList(governance[name]).entries())
      if (isObject(part)) add(part, ['governance', name, index]);
  };
  each('customers', (customer, at) => owners.addCustomer(customer, at));
  each('teams', (team, at) => owners.addTeam(team, at));
  each('virtual_keys', (key, at) => owners.addKey(key, at));
  if (readList(governance['model_configs']).some((config) => textOf(readObject(config)['scope']) !== 'virtual_key'))
    owners.addShared(['governance', 'model_configs']);
  return owners;
}
