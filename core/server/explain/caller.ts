import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { describeSuggestion } from '../../config/suggest.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Clock } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { ExplainQuestion } from '../../http/admin/explain.ts';
import { readKeyId } from '../../tenancy/key-format.ts';
import type { KeyTable } from '../../tenancy/key-table.ts';
import { rightsOf } from '../../tenancy/rights.ts';

/** A key that was found without its secret. */
export interface FoundKey {
  readonly caller: Caller;
  readonly origin: 'configuration' | 'database';
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
type Asked = Pick<ExplainQuestion, 'key' | 'organization' | 'project'>;

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

/** The newest first: of a rotation the key that stays. */
const listStored = async (table: Parts['table']): Promise<readonly Candidate[]> =>
  (await table.list()).toReversed().map(({ id, name, organization, project, disabled, expiresAt, ...stored }) => ({
    caller: { key: name, project, organization, ...rightsOf(stored) },
    origin: 'database',
    id,
    names: [name, id],
    disabled,
    expiresAt,
  }));

const homeOf = ({ caller: { organization, project } }: Candidate): string => `${organization}/${project}`;

/**
 * The key of a name, a prefix or an id. Of several of one name in one project the configuration's counts, else the newest that lives.
 * @throws GatewayError `not_found`; `invalid_request` where projects differ; `permission_denied` for a key that opens nothing any more
 */
export async function findKey(
  { organizations, table, clock }: Parts,
  { key, organization, project }: Asked,
): Promise<FoundKey> {
  // Whoever pastes a whole key by mistake means its public part, and must not see the rest of it again.
  const asked = readKeyId(key);
  const isAsked = ({ names, caller }: Candidate): boolean =>
    names.includes(asked) &&
    (organization === undefined || caller.organization === organization) &&
    (project === undefined || caller.project === project);
  const all = [...listConfigured(organizations), ...(await listStored(table))];
  const found = all.filter(isAsked);
  const [first] = found;
  if (first === undefined) {
    const suggestion = describeSuggestion(
      asked,
      all.map(({ caller }) => caller.key),
    );
    throw new GatewayError(
      'not_found',
      `No key${organization === undefined && project === undefined ? '' : ' there'} has this name, prefix or id, neither in the configuration nor in the database.${suggestion}`,
      { param: 'key' },
    );
  }

  const homes = [...new Set(found.map(homeOf))];
  if (homes.length > 1)
    throw new GatewayError(
      'invalid_request',
      `Several keys are called ${JSON.stringify(asked)}, in ${homes.join(' and ')}; say organization and project as well.`,
      { param: 'key' },
    );

  const isOver = ({ expiresAt }: Candidate): boolean => expiresAt !== undefined && expiresAt <= clock.now();
  const live = found.find((candidate) => !candidate.disabled && !isOver(candidate));
  if (live !== undefined) return omitUndefined({ caller: live.caller, origin: live.origin, id: live.id });
  throw new GatewayError(
    'permission_denied',
    `The key ${JSON.stringify(asked)} of ${homeOf(first)} is ${first.disabled ? 'disabled' : 'expired'}: every request with it is a 401.`,
    { param: 'key' },
  );
}
