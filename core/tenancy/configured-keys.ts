import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { GatewayConfig, KeyConfig } from '../config/gateway-config.ts';
import { rightsOf } from './rights.ts';
import type { Caller } from '../contracts/caller.ts';
import type { KeyRecord } from '../contracts/services.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { digestKey } from './key-format.ts';

/**
 * * The keys of the configuration by the hex of their digest. Secrets are digested here; `sha256` is used as it is. An
 * empty key, whose variable is not set, can never be presented and is left out.
 * @throws GatewayError `KOINE_CONFIG_INVALID` when two keys have the same secret: the caller would depend on their
 * order
 */
export function loadConfiguredKeys(organizations: GatewayConfig['organizations']): ReadonlyMap<string, KeyRecord> {
  const records = new Map<string, KeyRecord>();
  const places = new Map<string, string>();
  for (const [organization, { projects }] of Object.entries(organizations)) {
    for (const [project, { keys }] of Object.entries(projects)) {
      for (const [name, config] of Object.entries(keys)) {
        const place = `organizations.${organization}.projects.${project}.keys.${name}`;
        const digest = readDigest(config, place);
        if (digest === undefined) continue;
        const hex = formatDigest(digest);
        const earlier = places.get(hex);
        if (earlier !== undefined)
          throw new GatewayError(
            'KOINE_CONFIG_INVALID',
            `${place} has the same secret as ${earlier}. Give each key its own.`,
          );
        places.set(hex, place);
        records.set(hex, createRecord({ key: name, project, organization }, digest, config));
      }
    }
  }
  return records;
}

/** The form of a digest in maps of keys. */
export const formatDigest = (digest: Uint8Array): string =>
  Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('hex');

const createRecord = (
  names: Pick<Caller, 'key' | 'project' | 'organization'>,
  digest: Uint8Array,
  config: KeyConfig,
): KeyRecord =>
  omitUndefined({
    caller: { ...names, ...rightsOf(config) },
    digest,
    disabled: config.disabled,
    expiresAt: config.expires,
  });

const readDigest = (config: KeyConfig, place: string): Uint8Array | undefined => {
  if (config.key) return digestKey(config.key);
  if (!config.sha256) return undefined;
  if (/^[0-9a-f]{64}$/i.test(config.sha256)) return Buffer.from(config.sha256, 'hex');
  throw new GatewayError(
    'KOINE_CONFIG_INVALID',
    `${place}.sha256 is not a SHA-256 digest. Write its 64 hexadecimal digits.`,
  );
};
