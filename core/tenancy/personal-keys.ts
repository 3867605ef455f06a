import { allowsModel } from '../catalog/model-pattern.ts';
import type { PersonalKeysConfig } from '../config/admin-config.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { formatDuration } from '../config/units/duration.ts';
import type { KeyRequest } from '../config/validate/read-key.ts';
import type { AdminActor } from '../contracts/admin.ts';
import type { Clock } from '../contracts/services.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import { issueKey, type IssuedKey } from './issue-key.ts';
import { checkSettings, refuse } from './key-checks.ts';
import { readKeyId } from './key-format.ts';
import type { KeyRegister } from './key-register.ts';
import type { KeyTable, PersonalEntry, StoredKey } from './key-table.ts';
import { listStored, writeTime, type ListedKey } from './listed-key.ts';
import { checkRotation, listReplaced, settingsOf, type ChangedKey } from './rotation.ts';

/** A signed-in person who can make keys. */
export type KeyOwner = Required<Pick<AdminActor, 'name' | 'id' | 'projects'>>;

/** What a person chooses of a new key. */
export type PersonalRequest = Pick<KeyRequest, 'name' | 'organization' | 'project' | 'models' | 'expiresAt'>;

interface Parts {
  readonly config: Pick<GatewayConfig, 'organizations' | 'models'>;
  readonly rules: PersonalKeysConfig;
  readonly table: Pick<KeyTable, 'list' | 'get' | 'insertPersonal'>;
  readonly register: Pick<KeyRegister, 'revoke'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** No window of a limit is longer, so that nothing is left to count of a name that is unused for this long. */
const RECENT_MS = 31 * 86_400_000;

const pathOf = ({ organization, project, name }: Pick<StoredKey, 'organization' | 'project' | 'name'>): string =>
  `${organization}/${project}/${name}`;
const endOf = ({ revoked, revokedAt = 0, expiresAt = Infinity }: StoredKey): number =>
  revoked ? Math.min(revokedAt, expiresAt) : expiresAt;
const conflict = (message: string, param: string): GatewayError => new GatewayError('conflict', message, { param });

/**
 * The keys that people make for themselves, within `admin.personalKeys`. A person is known by issuer and subject: names
 * can change, and can be given to another person. Methods reject as those of {@link KeyRegister}; a key of another
 * person is `not_found`.
 */
export class PersonalKeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The keys of the person that are valid, or were in the last 31 days. Oldest first. */
  async list({ id }: Pick<KeyOwner, 'id'>): Promise<readonly ListedKey[]> {
    const { table, clock } = this.#parts;
    const since = clock.now() - RECENT_MS;
    const found = await table.list({ owner: id });
    return found.filter((key) => key.ownerId === id && endOf(key) > since).map(listStored);
  }

  async create(owner: KeyOwner, { models, expiresAt, ...request }: PersonalRequest): Promise<IssuedKey> {
    const { config, rules, table, clock } = this.#parts;
    const now = clock.now();
    const latest = now + rules.maxLifetime;
    this.#checkRights(owner, { ...request, models });
    if (expiresAt !== undefined && expiresAt > latest)
      throw invalidRequest(
        'expires',
        `key.expires must be at most ${formatDuration(rules.maxLifetime)} from now, ${writeTime(latest)} or earlier.`,
      );
    const { entry, issued } = issueKey(config, now, {
      ...request,
      models: models.length === 0 ? rules.models : models,
      expiresAt: expiresAt ?? latest,
      owner: owner.name,
      ownerId: owner.id,
    });
    checkSettings(config, now, entry, entry);
    await table.insertPersonal({ entry, check: (present) => this.#checkNumber(owner, entry, present) });
    return issued;
  }

  /** Creates a key with the name, the settings and the lifetime of the old one, from now on. */
  async rotate(owner: KeyOwner, id: string, overlapMs: number): Promise<IssuedKey & { readonly replaced: ChangedKey }> {
    const { config, rules, table, clock } = this.#parts;
    const old = await this.#find(owner, id);
    const now = clock.now();
    if (old.disabled && !old.revoked)
      throw refuse(old, 'disabled', 'rotated', 'Ask an operator to enable it, or create a new one');
    const endsAt = checkRotation(config, now, old, overlapMs);
    this.#checkRights(owner, old);
    const lifetime = Math.min((old.expiresAt ?? Infinity) - old.createdAt, rules.maxLifetime);
    const settings = { ...settingsOf(old), owner: owner.name, ownerId: owner.id, expiresAt: now + lifetime };
    const { entry, issued } = issueKey(config, now, settings);
    const replaces = { id: old.id, endsAt };
    const check: PersonalEntry['check'] = (present) => {
      const fresh = present.find((key) => key.id === old.id) ?? old;
      checkRotation(config, clock.now(), fresh, overlapMs);
      this.#checkNumber(owner, entry, overlapMs > 0 ? present : present.filter((key) => key !== fresh));
    };
    if (!(await table.insertPersonal({ entry, check, replaces }))) throw refuse(old, 'revoked', 'rotated');
    return { ...issued, replaced: listReplaced(old, endsAt) };
  }

  async revoke(owner: Pick<KeyOwner, 'id'>, id: string): Promise<ChangedKey> {
    return this.#parts.register.revoke((await this.#find(owner, id)).id);
  }

  async #find(owner: Pick<KeyOwner, 'id'>, id: string): Promise<StoredKey> {
    const found = await this.#parts.table.get(readKeyId(id));
    if (found?.ownerId === owner.id) return found;
    throw new GatewayError('not_found', 'You have no key with this id. GET /admin/me/keys lists yours.', {
      param: 'id',
    });
  }

  /** Project and models must be among those of the person. Without patterns the key gets all that are allowed. */
  #checkRights({ projects }: KeyOwner, { organization, project, models }: Omit<PersonalRequest, 'name'>): void {
    const { rules } = this.#parts;
    if (!projects.includes(`${organization}/${project}`))
      throw new GatewayError(
        'permission_denied',
        `You can make no keys in ${organization}/${project}. Your projects are ${projects.join(', ')}.`,
        { param: 'project' },
      );
    // A pattern is within the allowed ones if they match its text: only their * can match its *.
    const beyond = models.find((pattern) => !allowsModel(rules.models, pattern));
    if (beyond !== undefined)
      throw new GatewayError(
        'permission_denied',
        `A personal key cannot allow ${JSON.stringify(beyond)}. It can allow ${rules.models.join(', ')}, or less.`,
        { param: 'models' },
      );
  }

  /**
   * @param present the other keys of the person, and all keys of the same name in the project
   * @throws GatewayError `conflict`
   */
  #checkNumber(owner: KeyOwner, request: PersonalRequest, present: readonly StoredKey[]): void {
    const { maxKeys } = this.#parts.rules;
    const now = this.#parts.clock.now();
    const own = present.filter(({ ownerId }) => ownerId === owner.id);
    if (own.length < present.length)
      throw conflict(
        `The name ${request.name} is taken in ${request.organization}/${request.project}, and limits and usage ` +
          'belong to the name of a key. Choose another one, for example with your own name in it.',
        'name',
      );
    const valid = own.filter((key) => endOf(key) > now);
    if (valid.length >= maxKeys)
      throw conflict(
        `You have ${valid.length} valid keys, and a person can have ${maxKeys}. Revoke one first: ` +
          `${valid.map(({ id, name }) => `${name} (${id})`).join(', ')}.`,
        'name',
      );
    const names = new Set(own.filter((key) => endOf(key) > now - RECENT_MS).map(pathOf));
    if (names.size >= maxKeys && !names.has(pathOf(request)))
      throw conflict(
        `Your keys had ${names.size} different names in the last 31 days, and a person can use ${maxKeys}: limits ` +
          `belong to the name of a key. Use one of these names again: ${[...names].join(', ')}.`,
        'name',
      );
  }
}
