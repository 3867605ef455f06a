import type { JsonObject } from '../../core/api/index.ts';

/* Sections of gateway.yaml that every import writes. */

export const unlessEmpty = (name: string, section: JsonObject): JsonObject =>
  Object.keys(section).length === 0 ? {} : { [name]: section };

/** The body limit, from megabytes. */
export const describeBodies = (limit: number): JsonObject => ({ bodyLimit: `${limit}mb` });

/** Where every import asks for the token of the admin listener. */
export const ADMIN: JsonObject = { token: '${KOINE_ADMIN_TOKEN:-}' };

/**
 * The plugins that `koine init` writes, in the same order.
 * @param ledger the plugin that stores usage, or none
 */
export const listPlugins = (
  failover: JsonObject,
  ledger: readonly JsonObject[],
  first: readonly JsonObject[] = [],
): readonly JsonObject[] => [
  ...first,
  ...['metrics', 'auth', 'rate-limit', 'cache-accounting'].map((use) => ({ use })),
  ...ledger,
  { use: 'failover', ...unlessEmpty('config', failover) },
  { use: 'dashboard' },
];
