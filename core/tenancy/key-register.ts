import { compilePatterns } from '../catalog/model-pattern.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
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

/** A key that was just made. */
export interface IssuedKey {
  readonly key: ListedKey;
  /** Exists only here: shown once, kept nowhere. */
  readonly secret: string;
  /** What about the key does less than it seems to. */
  readonly warnings: readonly string[];
}

/** A key before and after it was changed. */
export interface ChangedKey {
  readonly before: ListedKey;
  readonly after: ListedKey;
}

/**
 * The keys of the configuration and the database as operators handle them. The configuration is the truth for what it
 * names: nothing is made or changed here under such a name. A key of the database that has come to share one can still
 * be revoked. An id may be a prefix as well: whoever has that has the id. Rejects with GatewayError `not_found`,
 * `conflict`, `invalid_request`, or `KOINE_STORE_FAILED` where the database cannot be asked.
 */
export interface KeyRegister {
  /** Those of the configuration first, then the others, oldest first. */
  list(filter?: KeyFilter): Promise<readonly ListedKey[]>;
  get(id: string): Promise<ListedKey>;
  create(request: KeyRequest): Promise<IssuedKey>;
  /** A new key of the same name and settings; the old one ends after so many milliseconds. */
  rotate(id: string, overlapMs: number): Promise<IssuedKey & { readonly replaced: ChangedKey }>;
  /** For good; a second time changes nothing. */
  revoke(id: string): Promise<ChangedKey>;
}

/** The last moment that JavaScript can tell. */
const LATEST = 8.64e15;

export function createKeyRegister({ config: { organizations, models }, table, clock }: Parts): KeyRegister {
  const organizationOf = (name: string) => (Object.hasOwn(organizations, name) ? organizations[name] : undefined);
  const projectOf = (organization: string, name: string) => {
    const projects = organizationOf(organization)?.projects ?? {};
    return Object.hasOwn(projects, name) ? projects[name] : undefined;
  };

  const checkFree = ({ organization, project, name }: Pick<KeyRequest, 'organization' | 'project' | 'name'>): void => {
    if (!Object.hasOwn(projectOf(organization, project)?.keys ?? {}, name)) return;
    throw new GatewayError(
      'conflict',
      `The configuration defines the key ${name} of ${organization}/${project}, and is the truth for it: ` +
        'change it there, or take another name.',
      { param: 'name' },
    );
  };

  const warnOf = ({ organization, project, models: patterns }: KeyRequest): readonly string[] => {
    const ids = Object.keys(models);
    const above =
      organizationOf(organization) === undefined
        ? `organization ${organization}`
        : projectOf(organization, project) === undefined
          ? `project ${organization}/${project}`
          : undefined;
    return [
      ...(above === undefined ? [] : [`The configuration does not name the ${above}: it has no limits of its own.`]),
      ...patterns
        .filter((pattern) => !ids.some(compilePatterns([pattern])))
        .map((pattern) => `No model of the configuration has a name like ${JSON.stringify(pattern)}.`),
    ];
  };

  const issue = async (request: KeyRequest): Promise<IssuedKey> => {
    const { text: secret, ...key } = createKey();
    const { expires, ...settings } = request;
    const entry = { ...settings, createdAt: clock.now(), ...(expires === undefined ? {} : { expiresAt: expires }) };
    await table.insert({ ...entry, key });
    return {
      key: listStored({ ...entry, id: key.id, prefix: key.prefix, disabled: false }),
      secret,
      warnings: warnOf(request),
    };
  };

  const find = async (id: string): Promise<StoredKey> => {
    const stored = await table.get(readKeyId(id));
    if (stored !== undefined) return stored;
    const configured = listConfiguredKeys(organizations).find((key) => key.id === id);
    if (configured !== undefined) checkFree(configured);
    throw new GatewayError('not_found', 'There is no key with this id. Ids stand in the list of keys.', {
      param: 'id',
    });
  };

  const isOver = ({ expiresAt }: StoredKey): boolean => expiresAt !== undefined && expiresAt <= clock.now();

  return {
    list: async (filter = {}) => [
      ...listConfiguredKeys(organizations, filter),
      ...(await table.list(filter)).map(listStored),
    ],

    get: async (id) => listConfiguredKeys(organizations).find((key) => key.id === id) ?? listStored(await find(id)),

    create: async (request) => {
      if (isTagged(request.name))
        throw invalidRequest(
          'name',
          'key.name looks like a key itself. Names are shown in lists and logs; take another.',
        );
      checkFree(request);
      if (request.expires !== undefined && request.expires <= clock.now())
        throw invalidRequest('expires', `key.expires is over already: ${writeTime(request.expires)}.`);
      return issue(request);
    },

    rotate: async (id, overlapMs) => {
      const old = await find(id);
      checkFree(old);
      const refuse = (state: string): GatewayError =>
        new GatewayError('conflict', `The key ${old.id} is ${state}: there is nothing to replace. Make a new one.`, {
          param: 'id',
        });
      if (old.disabled || isOver(old)) throw refuse(old.disabled ? 'revoked' : 'expired');
      const endsAt = clock.now() + overlapMs;
      if (endsAt > LATEST) throw invalidRequest('overlap', 'overlap ends beyond the end of time; write a shorter one.');
      const { id: _id, prefix: _prefix, disabled: _disabled, createdAt: _createdAt, expiresAt, ...settings } = old;
      const issued = await issue({ ...settings, ...(expiresAt === undefined ? {} : { expires: expiresAt }) });
      if (!(await table.expire(old.id, endsAt))) {
        // Somebody has revoked it meanwhile: what replaces it must not live either.
        await table.disable(issued.key.id);
        throw refuse('revoked');
      }
      return {
        ...issued,
        replaced: {
          before: listStored(old),
          after: listStored({ ...old, expiresAt: Math.min(expiresAt ?? endsAt, endsAt) }),
        },
      };
    },

    revoke: async (id) => {
      const old = await find(id);
      if (!old.disabled) await table.disable(old.id);
      return { before: listStored(old), after: listStored({ ...old, disabled: true }) };
    },
  };
}
