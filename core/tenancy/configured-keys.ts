import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { GatewayConfig, KeyConfig } from '../config/gateway-config.ts';
import { rightsOf } from './rights.ts';
import type { Caller, KeyRecord } from '../contracts/caller.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { runAtOnce, type Steps } from '../services/slices.ts';
import { digestKey } from './key-format.ts';
import { eachProject } from './listed-key.ts';

type KeyNames = Pick<Caller, 'key' | 'project' | 'organization'>;

interface Known {
  /** Of the digest. */
  readonly hex: string;
  readonly record: KeyRecord;
}

/** By the settings of a key: a reload uses the objects of what has not changed again. */
const known = new WeakMap<KeyConfig, Known>();

const placeOf = ({ organization, project, key }: KeyNames): string =>
  `organizations.${organization}.projects.${project}.keys.${key}`;

const readKey = (names: KeyNames, config: KeyConfig): Known | undefined => {
  const earlier = known.get(config);
  if (earlier !== undefined && placeOf(earlier.record.caller) === placeOf(names)) return earlier;
  const digest = readDigest(config, names);
  if (digest === undefined) return undefined;
  const read = { hex: formatDigest(digest), record: createRecord(names, digest, config) };
  known.set(config, read);
  return read;
};

/** {@link loadConfiguredKeys} in steps. */
export function* loadKeysInSteps(organizations: GatewayConfig['organizations']): Steps<ReadonlyMap<string, KeyRecord>> {
  const records = new Map<string, KeyRecord>();
  for (const { organization, project, keys } of eachProject(organizations))
    for (const [key, config] of Object.entries(keys)) {
      yield;
      const names = { key, project, organization };
      const read = readKey(names, config);
      if (read === undefined) continue;
      const earlier = records.get(read.hex);
      if (earlier !== undefined)
        throw new GatewayError(
          'KOINE_CONFIG_INVALID',
          `${placeOf(names)} has the same secret as ${placeOf(earlier.caller)}. Give each key its own.`,
        );
      records.set(read.hex, read.record);
    }
  return records;
}

/**
 * The keys of the configuration by the hex of their digest. Secrets are digested here; `sha256` is used as it is. An
 * empty key, whose variable is not set, can never be presented and is left out.
 * @throws GatewayError `KOINE_CONFIG_INVALID` when two keys have the same secret: the caller would depend on their
 * order
 */
export const loadConfiguredKeys = (organizations: GatewayConfig['organizations']): ReadonlyMap<string, KeyRecord> =>
  runAtOnce(loadKeysInSteps(organizations));

/** The form of a digest in maps of keys. */
export const formatDigest = (digest: Uint8Array): string =>
  Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('hex');

const createRecord = (names: KeyNames, digest: Uint8Array, config: KeyConfig): KeyRecord =>
  omitUndefined({
    caller: { ...names, ...rightsOf(config) },
    digest,
    disabled: config.disabled,
    expiresAt: config.expires,
  });

const readDigest = (config: KeyConfig, names: KeyNames): Uint8Array | undefined => {
  if (config.key) return digestKey(config.key);
  if (!config.sha256) return undefined;
  if (/^[0-9a-f]{64}$/i.test(config.sha256)) return Buffer.from(config.sha256, 'hex');
  throw new GatewayError(
    'KOINE_CONFIG_INVALID',
    `${placeOf(names)}.sha256 is not a SHA-256 digest. Write its 64 hexadecimal digits.`,
  );
};
