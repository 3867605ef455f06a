import type { GatewayConfig } from '../config/gateway-config.ts';
import type { KeyRequest } from '../config/validate/read-key.ts';
import { findWarnings } from './key-checks.ts';
import { createKey } from './key-format.ts';
import type { KeyEntry } from './key-row.ts';
import { listStored, type ListedKey } from './listed-key.ts';

/** A new key. */
export interface IssuedKey {
  readonly key: ListedKey;
  /** Exists only here: it is shown once and never stored. */
  readonly secret: string;
  /** Settings of the key that have less effect than expected. */
  readonly warnings: readonly string[];
}

/** Makes a key that is to be stored. @param now Unix milliseconds */
export function issueKey<Request extends KeyRequest & Pick<KeyEntry, 'ownerId'>>(
  config: Pick<GatewayConfig, 'organizations' | 'models'>,
  now: number,
  request: Request,
): { readonly entry: Request & KeyEntry; readonly issued: IssuedKey } {
  const { text: secret, ...key } = createKey();
  const entry = { ...request, createdAt: now };
  const { id, prefix } = key;
  return {
    entry: { ...entry, key },
    issued: {
      key: listStored({ ...entry, id, prefix, disabled: false, revoked: false }),
      secret,
      warnings: findWarnings(config, request),
    },
  };
}
