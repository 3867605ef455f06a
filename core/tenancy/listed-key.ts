import type { LossPolicy } from '../canonical/loss.ts';
import type { JsonObject } from '../canonical/wire.ts';
import type { GatewayConfig, KeyConfig } from '../config/gateway-config.ts';
import { writeLimit } from '../config/write/write-limit.ts';
import type { VendorStatePolicy } from '../contracts/references.ts';
import type { KeyFilter, StoredKey } from './key-table.ts';
import { rightsOf, type Rights } from './rights.ts';

/** A key as operators see it, as JSON: never a secret, never a digest. */
export interface ListedKey {
  /** What rotating and revoking want. Of a key of the configuration its place, `acme/web/alice`. */
  readonly id: string;
  readonly name: string;
  /** How the key begins; nobody knows that of one of the configuration. */
  readonly prefix?: string;
  readonly organization: string;
  readonly project: string;
  /** Patterns; empty: all. */
  readonly models: readonly string[];
  /** As the file writes them; absent: what stands above the key gives it its limits. */
  readonly limits?: readonly JsonObject[];
  readonly losses?: LossPolicy;
  readonly vendorState?: VendorStatePolicy;
  readonly disabled: boolean;
  /** ISO 8601. */
  readonly createdAt?: string;
  readonly expiresAt?: string;
  readonly origin: 'configuration' | 'database';
}

export const writeTime = (ms: number): string => new Date(ms).toISOString();

const listRights = (key: Rights): Pick<ListedKey, keyof Rights> => {
  const { limits, ...others } = rightsOf(key);
  return { ...others, ...(limits === undefined ? {} : { limits: limits.map(writeLimit) }) };
};

export const listStored = (key: StoredKey): ListedKey => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  organization: key.organization,
  project: key.project,
  ...listRights(key),
  disabled: key.disabled,
  createdAt: writeTime(key.createdAt),
  ...(key.expiresAt === undefined ? {} : { expiresAt: writeTime(key.expiresAt) }),
  origin: 'database',
});

const listConfigured = (organization: string, project: string, name: string, key: KeyConfig): ListedKey => ({
  id: `${organization}/${project}/${name}`,
  name,
  organization,
  project,
  ...listRights(key),
  disabled: key.disabled,
  ...(key.expires === undefined ? {} : { expiresAt: writeTime(key.expires) }),
  origin: 'configuration',
});

/** The keys of the configuration, in the order of the file. */
export const listConfiguredKeys = (
  organizations: GatewayConfig['organizations'],
  filter: KeyFilter = {},
): readonly ListedKey[] =>
  Object.entries(organizations)
    .filter(([organization]) => filter.organization === undefined || filter.organization === organization)
    .flatMap(([organization, { projects }]) =>
      Object.entries(projects)
        .filter(([project]) => filter.project === undefined || filter.project === project)
        .flatMap(([project, { keys }]) =>
          Object.entries(keys).map(([name, key]) => listConfigured(organization, project, name, key)),
        ),
    );
