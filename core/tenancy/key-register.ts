import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { compilePatterns } from '../catalog/model-pattern.ts';
import type { GatewayConfig, ProjectConfig } from '../config/gateway-config.ts';
import type { KeyRequest } from '../config/validate/read-key.ts';
import type { Clock } from '../contracts/services.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import { createKey, isTagged, readKeyId } from './key-format.ts';
import type { KeyFilter, KeyTable, StoredKey } from './key-table.ts';
import { listConfiguredKeys, listStored, writeTime, type ListedKey } from './listed-key.ts';

interface Parts {
  readonly config: Pick<GatewayConfig, 'organizations' | 'models'>;
  readonly table: Pick<KeyTable, 'insert' | 'list' | 'get' | 'disable' | 'expire'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** A new key. */
export interface IssuedKey {
  readonly key: ListedKey;
  /** Exists only here: it is shown once and never stored. */
  readonly secret: string;
  /** Settings of the key that have less effect than expected. */
  readonly warnings: readonly string[];
}

/** A key before and after it was changed. */
export interface ChangedKey {
  readonly before: ListedKey;
  readonly after: ListedKey;
}

/**
 * * Manages the keys of the configuration and the database for operators. Keys of the configuration can only be changed
 * there, and no key is created or rotated under their names. A key of the database with such a name can still be
 * revoked. An id can also be given as the prefix of a key, which contains it.
 *
 * Methods reject with GatewayError `not_found`, `conflict`, `invalid_request`, or `KOINE_STORE_FAILED` when the
 * database is unavailable.
 */
export interface KeyRegister {
  /** Keys of the configuration first, then those of the database, oldest first. */
  list(filter?: KeyFilter): Promise<readonly ListedKey[]>;
  get(id: string): Promise<ListedKey>;
  create(request: KeyRequest): Promise<IssuedKey>;
  /** Creates a key with the same name and settings. The old one expires after `overlapMs` milliseconds. */
  rotate(id: string, overlapMs: number): Promise<IssuedKey & { readonly replaced: ChangedKey }>;
  /** Disables the key permanently. Revoking it again changes nothing. */
  revoke(id: string): Promise<ChangedKey>;
}

/** The latest time of a JavaScript `Date`. */
const MAX_TIME = 8.64e15;

class ConfigAndTableRegister implements KeyRegister {
  readonly #organizations: GatewayConfig['organizations'];
  readonly #models: GatewayConfig['models'];
  readonly #table: Parts['table'];
  readonly #clock: Parts['clock'];

  constructor({ config: { organizations, models }, table, clock }: Parts) {
    this.#organizations = organizations;
    this.#models = models;
    this.#table = table;
    this.#clock = clock;
  }

  async list(filter: KeyFilter = {}): Promise<readonly ListedKey[]> {
    return [...listConfiguredKeys(this.#organizations, filter), ...(await this.#table.list(filter)).map(listStored)];
  }

  async get(id: string): Promise<ListedKey> {
    return this.#findConfigured(id) ?? listStored(await this.#find(id));
  }

  async create(request: KeyRequest): Promise<IssuedKey> {
    if (isTagged(request.name))
      throw invalidRequest(
        'name',
        'key.name looks like a secret key, but names appear in lists and logs. Choose another name.',
      );
    this.#checkFree(request);
    if (request.expires !== undefined && request.expires <= this.#clock.now())
      throw invalidRequest('expires', `key.expires must be in the future, but is ${writeTime(request.expires)}.`);
    return this.#issue(request);
  }

  async rotate(id: string, overlapMs: number): Promise<IssuedKey & { readonly replaced: ChangedKey }> {
    const old = await this.#find(id);
    this.#checkFree(old);
    const now = this.#clock.now();
    const refuse = (state: string): GatewayError =>
      new GatewayError('conflict', `The key ${old.id} is ${state} and cannot be rotated. Create a new one.`, {
        param: 'id',
      });
    if (old.disabled) throw refuse('revoked');
    if (old.expiresAt !== undefined && old.expiresAt <= now) throw refuse('expired');
    const endsAt = now + overlapMs;
    if (endsAt > MAX_TIME) throw invalidRequest('overlap', 'overlap is too long. Use a shorter one.');
    const { id: _id, prefix: _prefix, disabled: _disabled, createdAt: _createdAt, expiresAt, ...settings } = old;
    const issued = await this.#issue(omitUndefined({ ...settings, expires: expiresAt }));
    if (!(await this.#table.expire(old.id, endsAt))) {
      // The key was revoked in the meantime, so its replacement must not work either.
      await this.#table.disable(issued.key.id);
      throw refuse('revoked');
    }
    const after = { ...old, expiresAt: Math.min(expiresAt ?? endsAt, endsAt) };
    return { ...issued, replaced: { before: listStored(old), after: listStored(after) } };
  }

  async revoke(id: string): Promise<ChangedKey> {
    const old = await this.#find(id);
    if (!old.disabled) await this.#table.disable(old.id);
    return { before: listStored(old), after: listStored({ ...old, disabled: true }) };
  }

  #findConfigured(id: string): ListedKey | undefined {
    return listConfiguredKeys(this.#organizations).find((key) => key.id === id);
  }

  async #find(id: string): Promise<StoredKey> {
    const stored = await this.#table.get(readKeyId(id));
    if (stored !== undefined) return stored;
    const configured = this.#findConfigured(id);
    if (configured !== undefined) this.#checkFree(configured);
    throw new GatewayError('not_found', 'There is no key with this id. List the keys to see their ids.', {
      param: 'id',
    });
  }

  #organization(name: string): GatewayConfig['organizations'][string] | undefined {
    return Object.hasOwn(this.#organizations, name) ? this.#organizations[name] : undefined;
  }

  #project(organization: string, name: string): ProjectConfig | undefined {
    const projects = this.#organization(organization)?.projects ?? {};
    return Object.hasOwn(projects, name) ? projects[name] : undefined;
  }

  #checkFree({ organization, project, name }: Pick<KeyRequest, 'organization' | 'project' | 'name'>): void {
    if (!Object.hasOwn(this.#project(organization, project)?.keys ?? {}, name)) return;
    throw new GatewayError(
      'conflict',
      `The key ${name} of ${organization}/${project} is defined in the configuration. ` +
        'Change it there, or choose another name.',
      { param: 'name' },
    );
  }

  async #issue(request: KeyRequest): Promise<IssuedKey> {
    const { text: secret, ...key } = createKey();
    const { expires, ...settings } = request;
    const createdAt = this.#clock.now();
    const entry = { ...settings, createdAt, ...(expires === undefined ? {} : { expiresAt: expires }) };
    await this.#table.insert({ ...entry, key });
    return {
      key: listStored({ ...entry, id: key.id, prefix: key.prefix, disabled: false }),
      secret,
      warnings: this.#findWarnings(request),
    };
  }

  #findWarnings({ organization, project, models: patterns }: KeyRequest): readonly string[] {
    const ids = Object.keys(this.#models);
    const unknown =
      this.#organization(organization) === undefined
        ? `organization ${organization}`
        : this.#project(organization, project) === undefined
          ? `project ${organization}/${project}`
          : undefined;
    return [
      ...(unknown === undefined ? [] : [`The ${unknown} is not in the configuration, so it has no limits of its own.`]),
      ...patterns
        .filter((pattern) => !ids.some(compilePatterns([pattern])))
        .map((pattern) => `No model of the configuration matches ${JSON.stringify(pattern)}.`),
    ];
  }
}

export function createKeyRegister(parts: Parts): KeyRegister {
  return new ConfigAndTableRegister(parts);
}
