import type { GatewayConfig } from '../config/gateway-config.ts';
import type { KeyRequest } from '../config/validate/read-key.ts';
import { invalidRequest } from '../errors/gateway-error.ts';
import { checkFree, refuse } from './key-checks.ts';
import type { KeyEntry, StoredKey } from './key-row.ts';
import { listStored, type ListedKey } from './listed-key.ts';

/** A key before and after it was changed. */
export interface ChangedKey {
  readonly before: ListedKey;
  readonly after: ListedKey;
}

/** The latest time of a JavaScript `Date`. */
const MAX_TIME = 8.64e15;

/**
 * Checks that a key can be replaced.
 * @param now Unix milliseconds
 * @returns when it ends
 * @throws GatewayError `conflict`, `invalid_request`
 */
export function checkRotation(
  config: Pick<GatewayConfig, 'organizations' | 'models'>,
  now: number,
  old: StoredKey,
  overlapMs: number,
): number {
  checkFree(config, old);
  if (old.revoked) throw refuse(old, 'revoked', 'rotated');
  if (old.disabled) throw refuse(old, 'disabled', 'rotated', 'Enable it first');
  if (old.expiresAt !== undefined && old.expiresAt <= now) throw refuse(old, 'expired', 'rotated');
  const endsAt = now + overlapMs;
  if (endsAt > MAX_TIME) throw invalidRequest('overlap', 'overlap is too long. Use a shorter one.');
  return endsAt;
}

/** What a new key has of the one that it replaces. */
export const settingsOf = ({
  id: _id,
  prefix: _prefix,
  disabled: _disabled,
  revoked: _revoked,
  revokedAt: _revokedAt,
  createdAt: _createdAt,
  ...settings
}: StoredKey): KeyRequest & Pick<KeyEntry, 'ownerId'> => settings;

/** The key that was replaced. */
export const listReplaced = (old: StoredKey, endsAt: number): ChangedKey => ({
  before: listStored(old),
  after: listStored({ ...old, expiresAt: Math.min(old.expiresAt ?? endsAt, endsAt) }),
});
