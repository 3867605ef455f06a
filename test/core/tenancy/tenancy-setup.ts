import type { KeyDirectory, KeyRecord } from '../../../core/contracts/services.ts';
import type { GatewayConfig, KeyConfig } from '../../../core/config/gateway-config.ts';
import { digestKey, type NewKey } from '../../../core/tenancy/key-format.ts';
import type { KeyEntry } from '../../../core/tenancy/key-table.ts';

/** A key of the configuration; nothing set means what the schema would fill in. */
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

/** Asks as the auth plugin does. */
export const findText = (
  directory: KeyDirectory,
  text: string,
): KeyRecord | undefined | Promise<KeyRecord | undefined> => directory.find({ digest: digestKey(text), text });

/** Time that stands still until it is moved. */
export const createStillClock = (): { now(): number; monotonic(): number; pass(ms: number): void } => {
  let time = 50_000;
  return {
    now: () => time,
    monotonic: () => time,
    pass: (ms) => {
      time += ms;
    },
  };
};
