import { createHmac, randomBytes } from 'node:crypto';
import type { Credential } from '../contracts/extension.ts';
import type { Renewal } from './renewal.ts';

/** Versions of different processes differ, so that they say nothing about the secret. */
const processKey = randomBytes(32);

/** The `version` of a credential with this secret: the same for the same secret, as long as the process runs. */
export const versionSecret = (secret: string): string =>
  createHmac('sha256', processKey).update(secret).digest('base64url');

const settle = async (pending: Promise<unknown>): Promise<void> => {
  await pending;
};

/**
 * A credential whose secret is renewed while the gateway runs. It is loaded before each attempt, so that `buildRequest`
 * finds it in `renewal.current`. If the vendor refuses it, it is loaded again, and the call is repeated once.
 * @param secretOf the secret part of the loaded value
 * @example
 * const tokens = createRenewal(async () => ({ value: await loadToken(), endsAt: Date.now() + 3_600_000 }), services);
 * const credential = createRenewedCredential('acme', tokens, (token) => String(token));
 */
export function createRenewedCredential<T>(
  id: string,
  renewal: Renewal<T>,
  secretOf: (value: T) => string,
): Credential {
  let last: { readonly value: T; readonly version: string } | undefined;
  return {
    id,
    get version() {
      const { current: value } = renewal;
      if (value === undefined) return undefined;
      if (last?.value !== value) last = { value, version: versionSecret(secretOf(value)) };
      return last.version;
    },
    ready: () => {
      const value = renewal.get();
      return value instanceof Promise ? settle(value) : undefined;
    },
    renew: () => renewal.renew(),
  };
}
