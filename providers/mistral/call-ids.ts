import { createHash } from 'node:crypto';

/** The vendor refuses every other id of a call. */
const VALID = /^[a-zA-Z0-9]{9}$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The same id each time the conversation is sent, so that a call and its result still match. */
export function writeCallId(id: string): string {
  if (VALID.test(id)) return id;
  const digest = createHash('sha256').update(id).digest().subarray(0, 9);
  return Array.from(digest, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
