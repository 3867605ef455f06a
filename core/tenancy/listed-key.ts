import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { LossPolicy } from '../canonical/loss.ts';
import type { JsonObject } from '../canonical/wire.ts';
import type { GatewayConfig, KeyConfig, ProjectConfig } from '../config/gateway-config.ts';
import { writeLimit } from '../config/write/write-limit.ts';
import type { CostHeaders, HostedToolsSetting } from '../contracts/caller.ts';
import type { VendorStatePolicy } from '../contracts/request-members.ts';
import type { StoredKey } from './key-row.ts';
import { rightsOf, type Rights } from './rights.ts';

/** Selects keys. An absent member matches any value. */
export interface KeyFilter {
  readonly organization?: string;
  readonly project?: string;
  /** The name of the owner as shown, or the owner's id. */
  readonly owner?: string;
}

/** The JSON form of a key for operators, without its secret and its digest. */
export interface ListedKey {
  /** Identifies the key when it is rotated or revoked. For a key of the configuration its path, `acme/web/alice`. */
  readonly id: string;
  readonly name: string;
  /** The public start of the key. Absent for a key of the configuration. */
  readonly prefix?: string;
  readonly organization: string;
  readonly project: string;
  /** Patterns. Empty: all models. */
  readonly models: readonly string[];
  /** In the form of the file. Absent: the `keyLimits` of its project, its organization or the gateway apply. */
  readonly limits?: readonly JsonObject[];
  readonly losses?: LossPolicy;
  readonly vendorState?: VendorStatePolicy;
  readonly costHeaders?: CostHeaders;
  readonly hostedTools?: HostedToolsSetting;
  readonly tags?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, string>>;
  /** The person whose key it is. */
  readonly owner?: string;
  /** Issuer and subject of the person who has made it. */
  readonly ownerId?: string;
  readonly disabled: boolean;
  /** The key is disabled permanently. */
  readonly revoked?: true;
  /** ISO 8601. Absent also for keys that an older version has revoked. */
  readonly revokedAt?: string;
  /** ISO 8601. */
  readonly createdAt?: string;
  readonly expiresAt?: string;
  readonly origin: 'configuration' | 'database';
}

/** A key of the configuration. */
export interface ConfiguredKey {
  readonly organization: string;
  readonly project: string;
  readonly name: string;
  readonly config: KeyConfig;
}

export const writeTime = (ms: number): string => new Date(ms).toISOString();

const listRights = (key: Rights): Pick<ListedKey, keyof Rights> => {
  const { limits, ...others } = rightsOf(key);
  return omitUndefined({ ...others, limits: limits?.map(writeLimit) });
};

export const listStored = (key: StoredKey): ListedKey =>
  omitUndefined({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    organization: key.organization,
    project: key.project,
    ...listRights(key),
    metadata: key.metadata,
    owner: key.owner,
    ownerId: key.ownerId,
    disabled: key.disabled,
    revoked: key.revoked ? true : undefined,
    revokedAt: key.revokedAt === undefined ? undefined : writeTime(key.revokedAt),
    createdAt: writeTime(key.createdAt),
    expiresAt: key.expiresAt === undefined ? undefined : writeTime(key.expiresAt),
    origin: 'database',
  });

export const listConfigured = (organization: string, project: string, name: string, key: KeyConfig): ListedKey =>
  omitUndefined({
    id: `${organization}/${project}/${name}`,
    name,
    organization,
    project,
    ...listRights(key),
    disabled: key.disabled,
    expiresAt: key.expires === undefined ? undefined : writeTime(key.expires),
    origin: 'configuration',
  });

type Place = Pick<KeyFilter, 'organization' | 'project'>;

/** The projects of the configuration, each with its keys. */
export function* eachProject(
  organizations: GatewayConfig['organizations'],
  where: Place = {},
): Generator<Required<Place> & Pick<ProjectConfig, 'keys'>> {
  for (const [organization, { projects }] of Object.entries(organizations)) {
    if (where.organization !== undefined && where.organization !== organization) continue;
    for (const [project, { keys }] of Object.entries(projects))
      if (where.project === undefined || where.project === project) yield { organization, project, keys };
  }
}

/** The keys of the configuration with this name, or with this id. */
export function* findConfigured(
  organizations: GatewayConfig['organizations'],
  name: string,
  where?: Place,
): Generator<ConfiguredKey> {
  for (const { organization, project, keys } of eachProject(organizations, where)) {
    const start = `${organization}/${project}/`;
    for (const key of name.startsWith(start) ? [name, name.slice(start.length)] : [name]) {
      const config = Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (config !== undefined) yield { organization, project, name: key, config };
    }
  }
}

/** The names of keys of the configuration. */
export function* listConfiguredNames(organizations: GatewayConfig['organizations'], where?: Place): Generator<string> {
  for (const { keys } of eachProject(organizations, where)) yield* Object.keys(keys);
}
