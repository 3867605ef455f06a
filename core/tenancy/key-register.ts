import type { GatewayConfig } from '../config/gateway-config.ts';
import type { KeyChange, KeyRequest } from '../config/validate/read-key.ts';
import type { Clock } from '../contracts/services.ts';
import { atPlace } from '../errors/at-place.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import {
  checkProject,
  checkSettings,
  findWarningsOfChange,
  listProjects,
  refuse,
  refuseConfigured,
  type ProjectName,
} from './key-checks.ts';
import { issueKey, type IssuedKey } from './issue-key.ts';
import { readKeyId } from './key-format.ts';
import type { KeyEntry, KeyScope, KeyTable, QualifiedName, StoredKey } from './key-table.ts';
import type { KeyQuery, PositionedKey } from './key-page.ts';
import { ConfiguredPages, listPage } from './lookup/configured-pages.ts';
import { findConfigured, listConfigured, listConfiguredNames, listStored, type ListedKey } from './listed-key.ts';
import { mergeTenants, type StoredTenants } from './tenants/stored-tenants.ts';
import { checkRotation, listReplaced, settingsOf, type ChangedKey } from './rotation.ts';

interface Parts {
  readonly config: Pick<GatewayConfig, 'organizations' | 'models'>;
  readonly table: Omit<KeyTable, 'insertFirst' | 'insertPersonal' | 'find'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The organizations and projects of the database. Absent: there are none. */
  readonly tenants?: Pick<StoredTenants, 'list' | 'version'>;
}

/**
 * Manages the keys of the configuration and the database for operators. Keys of the configuration can only be changed
 * there, and no key is created, rotated or renamed to their names. A key of the database with such a name can still be
 * changed and revoked. An id can also be given as the prefix of a key, which contains it.
 *
 * Methods reject with GatewayError `not_found`, `conflict`, `invalid_request`, or `KOINE_STORE_FAILED` when the
 * database is unavailable.
 */
export interface KeyRegister {
  /** Keys of a name: those of the configuration, then those of the database, the newest first. At most 1,000. */
  named(name: string, where: KeyScope): Promise<readonly ListedKey[]>;
  /** Some names of keys, among them those that begin like this one. */
  similar(name: string, where: KeyScope): Promise<readonly string[]>;
  /** Those of the names that have a key which is not revoked. */
  present(names: readonly QualifiedName[]): Promise<readonly QualifiedName[]>;
  /** A part of the list, in the order of the query. */
  page(query: KeyQuery): Promise<readonly PositionedKey[]>;
  /** Identifies the list of all keys: changes with each key that is created, changed or deleted. */
  version(): Promise<string>;
  get(id: string): Promise<ListedKey>;
  /** The projects that keys can be made in. */
  projects(): readonly ProjectName[];
  create(request: KeyRequest): Promise<IssuedKey>;
  /** Why requests would be refused, by their index. A good one has none. */
  examine(requests: readonly KeyRequest[], placeOf: (index: number) => string): ReadonlyMap<number, GatewayError>;
  /**
   * Creates all of the keys or none.
   * @param placeOf names a request in errors: `keys[3]`, `line 4`
   */
  createAll(requests: readonly KeyRequest[], placeOf: (index: number) => string): Promise<readonly IssuedKey[]>;
  /**
   * Changes a key. It stays as it is in every member that the change lacks.
   * @param decide returns the change of the present key. What it throws changes nothing
   */
  change(id: string, decide: (present: ListedKey) => KeyChange): Promise<ChangedKey & Pick<IssuedKey, 'warnings'>>;
  /** Creates a key with the same name and settings. The old one expires after `overlapMs` milliseconds. */
  rotate(id: string, overlapMs: number): Promise<IssuedKey & { readonly replaced: ChangedKey }>;
  /** Disables the key permanently. Revoking it again changes nothing. */
  revoke(id: string): Promise<ChangedKey>;
}

/** Keys of one name, and names, that are read at most. */
const MOST_NAMED = 1_000;

class ConfigAndTableRegister implements KeyRegister {
  readonly #own: Parts['config'];
  readonly #table: Parts['table'];
  readonly #clock: Parts['clock'];
  readonly #configured: ConfiguredPages;
  readonly #tenants: Parts['tenants'];
  #merged: { readonly version: number; readonly config: Parts['config'] } | undefined;

  constructor({ config, table, clock, tenants }: Parts) {
    this.#tenants = tenants;
    this.#own = config;
    this.#table = table;
    this.#clock = clock;
    this.#configured = new ConfiguredPages(config.organizations);
  }

  /** The configuration, with the organizations and projects of the database. */
  get #config(): Parts['config'] {
    const tenants = this.#tenants;
    if (tenants === undefined) return this.#own;
    const { version } = tenants;
    if (this.#merged?.version !== version) {
      const { organizations, models } = this.#own;
      this.#merged = { version, config: { models, organizations: mergeTenants(organizations, tenants.list()) } };
    }
    return this.#merged.config;
  }

  async named(name: string, where: KeyScope): Promise<readonly ListedKey[]> {
    const configured = findConfigured(this.#config.organizations, name, where).filter((key) => key.name === name);
    const stored = await this.#table.findNamed(name, where, MOST_NAMED);
    return [
      ...configured.map((key) => listConfigured(key.organization, key.project, key.name, key.config)),
      ...stored.map(listStored),
    ].slice(0, MOST_NAMED);
  }

  async similar(name: string, where: KeyScope): Promise<readonly string[]> {
    return [
      ...listConfiguredNames(this.#config.organizations, where).take(MOST_NAMED),
      ...(await this.#table.findSimilar(name, where)),
    ];
  }

  async present(names: readonly QualifiedName[]): Promise<readonly QualifiedName[]> {
    const configured = names.filter(
      ({ organization, project, name }) => this.#findConfigured(`${organization}/${project}/${name}`) !== undefined,
    );
    return [...configured, ...(await this.#table.findPresent(names))];
  }

  async page(query: KeyQuery): Promise<readonly PositionedKey[]> {
    return listPage(this.#configured.read(query), await this.#table.page(query), query);
  }

  async version(): Promise<string> {
    return `${this.#configured.digest} ${await this.#table.version()}`;
  }

  async get(id: string): Promise<ListedKey> {
    return this.#findConfigured(id) ?? listStored(await this.#find(id));
  }

  projects(): readonly ProjectName[] {
    return listProjects(this.#config);
  }

  async create(request: KeyRequest): Promise<IssuedKey> {
    this.#check(request);
    return this.#issue(request);
  }

  examine(requests: readonly KeyRequest[], placeOf: (index: number) => string): ReadonlyMap<number, GatewayError> {
    const places = new Map<string, string>();
    const wrong = new Map<number, GatewayError>();
    for (const [index, request] of requests.entries())
      try {
        atPlace(placeOf(index), () => {
          this.#check(request);
          const path = `${request.organization}/${request.project}/${request.name}`;
          const earlier = places.get(path);
          if (earlier !== undefined) throw invalidRequest('name', `${path} is the key of ${earlier} already.`);
          places.set(path, placeOf(index));
        });
      } catch (thrown) {
        if (!GatewayError.is(thrown)) throw thrown;
        wrong.set(index, thrown);
      }
    return wrong;
  }

  async createAll(requests: readonly KeyRequest[], placeOf: (index: number) => string): Promise<readonly IssuedKey[]> {
    const [wrong] = this.examine(requests, placeOf).values();
    if (wrong !== undefined) throw wrong;
    const created = requests.map((request) => issueKey(this.#config, this.#clock.now(), request));
    await this.#table.insertAll(created.map(({ entry }) => entry));
    return created.map(({ issued }) => issued);
  }

  async change(
    id: string,
    decide: (present: ListedKey) => KeyChange,
  ): Promise<ChangedKey & Pick<IssuedKey, 'warnings'>> {
    const changed = await this.#table.change(readKeyId(id), (present) => {
      if (present.revoked) throw refuse(present, 'revoked', 'changed');
      const { owner, ...change } = decide(listStored(present));
      checkSettings(this.#config, this.#clock.now(), present, change);
      return owner === undefined || owner === present.owner ? change : { ...change, owner };
    });
    if (changed === undefined) throw this.#refuseUnknown(id);
    const { before, after } = changed;
    if (after.revoked) throw refuse(after, 'revoked', 'changed');
    return {
      before: listStored(before),
      after: listStored(after),
      warnings: findWarningsOfChange(this.#config, before, after),
    };
  }

  async rotate(id: string, overlapMs: number): Promise<IssuedKey & { readonly replaced: ChangedKey }> {
    const old = await this.#find(id);
    const endsAt = checkRotation(this.#config, this.#clock.now(), old, overlapMs);
    const issued = await this.#issue(settingsOf(old));
    if (!(await this.#table.expire(old.id, endsAt))) {
      // The key was revoked in the meantime, so its replacement must not work either.
      await this.#table.revoke(issued.key.id, this.#clock.now());
      throw refuse(old, 'revoked', 'rotated');
    }
    return { ...issued, replaced: listReplaced(old, endsAt) };
  }

  async revoke(id: string): Promise<ChangedKey> {
    const old = await this.#find(id);
    const revokedAt = this.#clock.now();
    const after = old.revoked ? old : { ...old, disabled: true, revoked: true, revokedAt };
    if (!old.revoked) await this.#table.revoke(old.id, revokedAt);
    return { before: listStored(old), after: listStored(after) };
  }

  #check(request: KeyRequest): void {
    checkSettings(this.#config, this.#clock.now(), request, request);
    checkProject(this.#config, request);
  }

  #findConfigured(id: string): ListedKey | undefined {
    return this.#configured.find(id);
  }

  async #find(id: string): Promise<StoredKey> {
    const stored = await this.#table.get(readKeyId(id));
    if (stored === undefined) throw this.#refuseUnknown(id);
    return stored;
  }

  /** A key that is not in the database. */
  #refuseUnknown(id: string): GatewayError {
    const configured = this.#findConfigured(id);
    return configured === undefined
      ? new GatewayError('not_found', 'There is no key with this id. List the keys to see their ids.', { param: 'id' })
      : refuseConfigured(configured, 'Change it there, and reload.');
  }

  async #issue(request: KeyRequest & Pick<KeyEntry, 'ownerId'>): Promise<IssuedKey> {
    const { entry, issued } = issueKey(this.#config, this.#clock.now(), request);
    await this.#table.insert(entry);
    return issued;
  }
}

export function createKeyRegister(parts: Parts): KeyRegister {
  return new ConfigAndTableRegister(parts);
}
