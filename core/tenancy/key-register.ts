import type { GatewayConfig } from '../config/gateway-config.ts';
import type { KeyChange, KeyRequest } from '../config/validate/read-key.ts';
import type { Clock } from '../contracts/services.ts';
import { atPlace } from '../errors/at-place.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import { checkSettings, findWarningsOfChange, refuse, refuseConfigured } from './key-checks.ts';
import { issueKey, type IssuedKey } from './issue-key.ts';
import { readKeyId } from './key-format.ts';
import type { KeyEntry, KeyScope, KeyTable, NamedPlace, StoredKey } from './key-table.ts';
import type { KeyQuery, PlacedKey } from './key-page.ts';
import { ConfiguredPages, mergePages } from './lookup/configured-pages.ts';
import { findConfigured, listConfigured, listConfiguredNames, listStored, type ListedKey } from './listed-key.ts';
import { checkRotation, listReplaced, settingsOf, type ChangedKey } from './rotation.ts';

interface Parts {
  readonly config: Pick<GatewayConfig, 'organizations' | 'models'>;
  readonly table: Omit<KeyTable, 'insertFirst' | 'insertPersonal' | 'find'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * * Manages the keys of the configuration and the database for operators. Keys of the configuration can only be changed
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
  /** Those of the places that have a key which is not revoked. */
  present(places: readonly NamedPlace[]): Promise<readonly NamedPlace[]>;
  /** A part of the list, in the order of the query. */
  page(query: KeyQuery): Promise<readonly PlacedKey[]>;
  /** Identifies the list of all keys: changes with each key that is created, changed or deleted. */
  version(): Promise<string>;
  get(id: string): Promise<ListedKey>;
  create(request: KeyRequest): Promise<IssuedKey>;
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
  readonly #config: Parts['config'];
  readonly #table: Parts['table'];
  readonly #clock: Parts['clock'];
  readonly #configured: ConfiguredPages;

  constructor({ config, table, clock }: Parts) {
    this.#config = config;
    this.#table = table;
    this.#clock = clock;
    this.#configured = new ConfiguredPages(config.organizations);
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

  async present(places: readonly NamedPlace[]): Promise<readonly NamedPlace[]> {
    const configured = places.filter(
      ({ organization, project, name }) => this.#findConfigured(`${organization}/${project}/${name}`) !== undefined,
    );
    return [...configured, ...(await this.#table.findPresent(places))];
  }

  async page(query: KeyQuery): Promise<readonly PlacedKey[]> {
    return mergePages(this.#configured.read(query), await this.#table.page(query), query);
  }

  async version(): Promise<string> {
    return `${this.#configured.digest} ${await this.#table.version()}`;
  }

  async get(id: string): Promise<ListedKey> {
    return this.#findConfigured(id) ?? listStored(await this.#find(id));
  }

  async create(request: KeyRequest): Promise<IssuedKey> {
    checkSettings(this.#config, this.#clock.now(), request, request);
    return this.#issue(request);
  }

  async createAll(requests: readonly KeyRequest[], placeOf: (index: number) => string): Promise<readonly IssuedKey[]> {
    const places = new Map<string, string>();
    for (const [index, request] of requests.entries())
      atPlace(placeOf(index), () => {
        checkSettings(this.#config, this.#clock.now(), request, request);
        const path = `${request.organization}/${request.project}/${request.name}`;
        const earlier = places.get(path);
        if (earlier !== undefined) throw invalidRequest('name', `${path} is the key of ${earlier} already.`);
        places.set(path, placeOf(index));
      });
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
