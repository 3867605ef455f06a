import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { describeSuggestion } from '../../config/suggest.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Clock } from '../../contracts/services.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import type { ExplainRequest } from '../../http/admin/explain.ts';
import { readKeyId } from '../../tenancy/key-format.ts';
import type { KeyTable } from '../../tenancy/key-table.ts';
import { callerOf, rightsOf } from '../../tenancy/rights.ts';

/** A key that was found without its secret. */
export interface FoundKey {
  readonly caller: Caller;
  /** `plugin`: named by a plugin, such as the callers of tokens. */
  readonly origin: 'configuration' | 'database' | 'plugin';
  /** Of a key of the database. */
  readonly id?: string;
}
interface Candidate extends FoundKey {
  readonly names: readonly string[];
  readonly disabled: boolean;
  readonly expiresAt: number | undefined;
}

interface Parts {
  readonly organizations: GatewayConfig['organizations'];
  readonly table: Pick<KeyTable, 'list'>;
  readonly clock: Pick<Clock, 'now'>;
}
type KeySelector = Pick<ExplainRequest, 'key' | 'organization' | 'project'>;

const listConfigured = (organizations: GatewayConfig['organizations']): readonly Candidate[] =>
  Object.entries(organizations).flatMap(([organization, { projects }]) =>
    Object.entries(projects).flatMap(([project, { keys }]) =>
      Object.entries(keys).map(([key, { disabled, expires, ...config }]) => ({
        caller: { key, project, organization, ...rightsOf(config) },
        origin: 'configuration',
        names: [key, `${organization}/${project}/${key}`],
        disabled,
        expiresAt: expires,
      })),
    ),
  );

/** The newest first: after a rotation, that is the key that remains. */
const listStored = async (table: Parts['table']): Promise<readonly Candidate[]> =>
  (await table.list()).toReversed().map((stored) => {
    const { id, name, disabled, expiresAt } = stored;
    const caller = callerOf(stored);
    return { caller, origin: 'database', id, names: [name, caller.key, id], disabled, expiresAt };
  });

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
  const matches = ({ names, caller }: Candidate): boolean =>
    names.includes(wanted) &&
    (organization === undefined || caller.organization === organization) &&
    (project === undefined || caller.project === project);
  const all = [...listConfigured(organizations), ...(await listStored(table))];
  const found = all.filter(matches);
  const [first] = found;
  if (first === undefined) {
    const named = findNamed({ key: wanted, organization, project });
    if (named !== undefined) return named;
    const suggestion = describeSuggestion(
      wanted,
      all.map(({ caller }) => caller.key),
    );
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
      `Several keys are called ${JSON.stringify(wanted)}, in ${projects.join(' and ')}; ` +
        'give organization and project as well.',
      { param: 'key' },
    );

  const isOver = ({ expiresAt }: Candidate): boolean => expiresAt !== undefined && expiresAt <= clock.now();
  const live = found.find((candidate) => !candidate.disabled && !isOver(candidate));
  if (live !== undefined) return omitUndefined({ caller: live.caller, origin: live.origin, id: live.id });
  throw new GatewayError(
    'permission_denied',
    `The key ${JSON.stringify(wanted)} of ${projectOf(first)} is ${first.disabled ? 'disabled' : 'expired'}: ` +
      'every request with it is a 401.',
    { param: 'key' },
  );
}
