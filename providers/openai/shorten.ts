import { createHash } from 'node:crypto';
import type { Lose } from '../../core/index.ts';

/** What stands for a text that is too long for the vendor: the same for the same text, and another for another. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The id of a call within the length that a wire takes. Clients lengthen ids (`<name>__<id>`), and cut, two might become one; calls and their
 * results are written with the same function, so they pair as before.
 */
export const shortenCallId = (id: string, longest: number): string =>
  id.length <= longest ? id : `call_${digestOf(id).slice(0, 32)}`;

const LONGEST_USER = 64;
/** A name that is too long for the vendor goes as its digest: cut, two users might become one. */
export function shortenUser(user: string, lose: Lose): string {
  if (user.length <= LONGEST_USER) return user;
  lose('user', 'approximated', `more than ${LONGEST_USER} characters are sent as their digest`);
  return digestOf(user);
}
