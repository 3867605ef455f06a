import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { listSome } from '../../canonical/text/list-some.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { describeSuggestion } from '../../config/suggest.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Clock } from '../../contracts/services.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import type { ExplainRequest } from '../../http/admin/explain.ts';
import { readKeyId } from '../../tenancy/key-format.ts';
import type { KeyScope, KeyTable, StoredKey } from '../../tenancy/key-table.ts';
import { findConfigured, listConfiguredNames, type ConfiguredKey } from '../../tenancy/listed-key.ts';
import { callerOf, rightsOf } from '../../tenancy/rights.ts';

/** A key that was found without its secret. */
export interface FoundKey {
  readonly caller: Caller;
  /** `plugin`: named by a plugin, such as the callers of tokens. */
  readonly origin: 'configuration' | 'database' | 'plugin';
  /** Of a key of the database. */
  readonly id?: string;
  /** Issuer and subject of the person who has made it. */
  readonly ownerId?: string;
}
interface Candidate extends FoundKey {
  readonly disabled: boolean;
  readonly expiresAt: number | undefined;
}

interface Parts {
  readonly organizations: GatewayConfig['organizations'];
  readonly table: Pick<KeyTable, 'get' | 'findNamed' | 'findSimilar'>;
  readonly clock: Pick<Clock, 'now'>;
}
type KeySelector = Pick<ExplainRequest, 'key' | 'organization' | 'project'>;

/** Keys of one name, and names, that are read at most. */
const MOST = 1_000;

const ofConfiguration = ({ organization, project, name, config }: ConfiguredKey): Candidate => {
  const { disabled, expires, ...rights } = config;
  return {
    caller: { key: name, project, organization, ...rightsOf(rights) },
    origin: 'configuration',
    disabled,
    expiresAt: expires,
  };
};

const ofDatabase = (stored: StoredKey): Candidate => {
  const { id, ownerId, disabled, expiresAt } = stored;
  const owned = ownerId === undefined ? {} : { ownerId };
  return { caller: callerOf(stored), origin: 'database', id, ...owned, disabled, expiresAt };
};

const PERSONAL = 'personal:';

/** By id, by name, and as requests name the key of a person. The newest first: after a rotation, that one remains. */
const findStored = async (table: Parts['table'], wanted: string, where: KeyScope): Promise<readonly Candidate[]> => {
  const { organization, project } = where;
  const byId = await table.get(wanted);
  const isThere =
    byId !== undefined &&
    (organization === undefined || byId.organization === organization) &&
    (project === undefined || byId.project === project);
  const personal = wanted.startsWith(PERSONAL) ? await table.findNamed(wanted.slice(PERSONAL.length), where, MOST) : [];
  return [
    ...(isThere ? [byId] : []),
    ...(await table.findNamed(wanted, where, MOST)),
    ...personal.filter(({ ownerId }) => ownerId !== undefined),
  ].map(ofDatabase);
};

const projectOf = ({ caller: { organization, project } }: Candidate): string => `${organization}/${project}`;

/** Names with a colon are of callers that a plugin names. Their rights come with each token. */
function findNamed({ key, organization, project }: KeySelector): FoundKey | undefined {
  if (!key.includes(':')) return undefined;
  if (organization !== undefined && project !== undefined)
    return { caller: { key, organization, project, models: [] }, origin: 'plugin' };
  throw invalidRequest(
    'key',
    `${JSON.stringify(key)} is no key of the configuration or the database. To explain a caller that a token or a ` +
      'key service names, give organization and project as well.',
  );
}

/**
 * Finds a key by its name, prefix or id. Of several with one name in one project, the one of the configuration is
 * found, else the newest that is valid.
 * @throws GatewayError `not_found`; `invalid_request` where projects differ; `permission_denied` for a disabled or
 * expired key
 */
export async function findKey(
  { organizations, table, clock }: Parts,
  { key, organization, project }: KeySelector,
): Promise<FoundKey> {
  // If a whole key was given by mistake, only its public part is used and repeated in errors.
  const wanted = readKeyId(key);
  const where = omitUndefined({ organization, project });
  const found = [
    ...findConfigured(organizations, wanted, where).map(ofConfiguration),
    ...(await findStored(table, wanted, where)),
  ];
  const [first] = found;
  if (first === undefined) {
    const named = findNamed({ key: wanted, organization, project });
    if (named !== undefined) return named;
    const suggestion = describeSuggestion(wanted, [
      ...listConfiguredNames(organizations, where).take(MOST),
      ...(await table.findSimilar(wanted, where)),
    ]);
    throw new GatewayError(
      'not_found',
      `No key${organization === undefined && project === undefined ? '' : ' there'} has this name, prefix or id, ` +
        `neither in the configuration nor in the database.${suggestion}`,
      { param: 'key' },
    );
  }

  const projects = [...new Set(found.map(projectOf))];
  if (projects.length > 1)
    throw new GatewayError(
      'invalid_request',
      `Several keys are called ${JSON.stringify(wanted)}, in ${listSome(projects, ' and ')}; ` +
        'give organization and project as well.',
      { param: 'key' },
    );

  const isOver = ({ expiresAt }: Candidate): boolean => expiresAt !== undefined && expiresAt <= clock.now();
  const live = found.find((candidate) => !candidate.disabled && !isOver(candidate));
  if (live !== undefined) {
    const { caller, origin, id, ownerId } = live;
    return omitUndefined({ caller, origin, id, ownerId });
  }
  throw new GatewayError(
    'permission_denied',
    `The key ${JSON.stringify(wanted)} of ${projectOf(first)} is ${first.disabled ? 'disabled' : 'expired'}: ` +
      'every request with it is a 401.',
    { param: 'key' },
  );
}
