import { createHash } from 'node:crypto';
import type { Lose } from '../../core/api/codec.ts';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Replaces a call id that is too long for a wire by its digest. Some clients lengthen ids (`<name>__<id>`); truncated,
 * two ids could become the same. Calls and results use the same function, so their ids still match.
 */
export const shortenCallId = (id: string, maxLength: number): string =>
  id.length <= maxLength ? id : `call_${digestOf(id).slice(0, 32)}`;

const MAX_USER_LENGTH = 64;
/** Replaces a user id that is too long for the vendor by its digest; truncated, two ids could become the same. */
export function shortenUser(user: string, lose: Lose): string {
  if (user.length <= MAX_USER_LENGTH) return user;
  lose('user', 'approximated', `an id of more than ${MAX_USER_LENGTH} characters is sent as its digest`);
  return digestOf(user);
}
