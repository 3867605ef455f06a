import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A new key. `text` is the secret: it is shown once and never stored. */
export interface NewKey {
  readonly text: string;
  readonly id: string;
  /** The text up to and including the id. Not secret. */
  readonly prefix: string;
  readonly digest: Uint8Array;
}

const tag = 'koine_';
const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idWidth = 8;
const secretWidth = 43;
const checksumWidth = 6;
const pattern = new RegExp(`^${tag}([0-9A-Za-z]{${idWidth}})_[0-9A-Za-z]{${secretWidth + checksumWidth}}$`);

/** Creates a key: `koine_<id>_<256 random bits><CRC-32 of everything before it>`, in base 62. */
export function createKey(): NewKey {
  const id = encodeBase62(readRandom(8) % 62n ** BigInt(idWidth), idWidth);
  const prefix = tag + id;
  const body = `${prefix}_${encodeBase62(readRandom(32), secretWidth)}`;
  const text = body + calculateChecksum(body);
  return { text, id, prefix, digest: digestKey(text) };
}

/** The public parts of a key; undefined when its form or checksum is wrong. */
export function parseKey(text: string): Pick<NewKey, 'id' | 'prefix'> | undefined {
  const id = pattern.exec(text)?.[1];
  if (id === undefined) return undefined;
  const body = text.slice(0, -checksumWidth);
  return body + calculateChecksum(body) === text ? { id, prefix: tag + id } : undefined;
}

/** Whether the text has the prefix of our keys. If so, it is a key only if {@link parseKey} accepts it. */
export const isTagged = (text: string): boolean => text.startsWith(tag);

/** The id in a key or its prefix. Any other text is returned unchanged. */
export const readKeyId = (text: string): string =>
  isTagged(text) ? text.slice(tag.length, tag.length + idWidth) : text;

/** SHA-256 of the whole text. A fast hash without salt is enough for 256 random bits. */
export const digestKey = (text: string): Uint8Array => hash('sha256', text, 'buffer');

const calculateChecksum = (body: string): string => encodeBase62(BigInt(crc32(body)), checksumWidth);

const readRandom = (bytes: number): bigint => BigInt(`0x${randomBytes(bytes).toString('hex')}`);

/** Base 62 has only letters and digits: a double click selects all of it, and it needs no escaping in URLs. */
function encodeBase62(value: bigint, width: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = base62Digits.charAt(Number(rest % 62n)) + text;
  return text.padStart(width, '0');
}
