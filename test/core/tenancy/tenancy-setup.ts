import type { KeyRecord } from '../../../core/contracts/caller.ts';
import type { KeyDirectory } from '../../../core/contracts/services.ts';
import type { GatewayConfig, KeyConfig } from '../../../core/config/gateway-config.ts';
import { digestKey, type NewKey } from '../../../core/tenancy/key-format.ts';
import type { KeyRegister } from '../../../core/tenancy/key-register.ts';
import type { KeyEntry, KeyFilter } from '../../../core/tenancy/key-table.ts';
import type { ListedKey } from '../../../core/tenancy/listed-key.ts';

/** A key of the configuration with the defaults of the schema. */
export const configureKey = (key: Partial<KeyConfig>): KeyConfig => ({ models: [], disabled: false, ...key });

/** One organization `acme` with one project `web`. */
export const configureOrganizations = (keys: Readonly<Record<string, KeyConfig>>): GatewayConfig['organizations'] => ({
  acme: { limits: [], projects: { web: { limits: [], keys } } },
});

/** A key of the database in the project `shop` of the organization `globex`. */
export const createEntry = ({ id, prefix, digest }: NewKey, more: Partial<KeyEntry> = {}): KeyEntry => ({
  key: { id, prefix, digest },
  name: 'bob',
  organization: 'globex',
  project: 'shop',
  models: ['openai/*'],
  createdAt: 1_000,
  ...more,
});

/** Every key, in the order of creation. */
export const listAll = async (register: KeyRegister, filter: KeyFilter = {}): Promise<readonly ListedKey[]> =>
  (await register.page({ ...filter, sort: 'created', limit: 1_000, now: 0 })).map(({ key }) => key);

/** Looks a key up as the auth plugin does. */
export const findText = (
  directory: KeyDirectory,
  text: string,
): KeyRecord | undefined | Promise<KeyRecord | undefined> => directory.find({ digest: digestKey(text), text });

/** A clock that advances only by `pass`. */
export const createManualClock = (): { now(): number; monotonic(): number; pass(ms: number): void } => {
  let time = 50_000;
  return {
    now: () => time,
    monotonic: () => time,
    pass: (ms) => {
      time += ms;
    },
  };
};
