import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeBase62 } from './base62.ts';

/** A key that was just made. `text` is the secret: shown once, kept nowhere. */
export interface NewKey {
  readonly text: string;
  readonly id: string;
  /** The beginning of the text up to the id; not secret. */
  readonly prefix: string;
  readonly digest: Uint8Array;
}

const tag = 'koine_';
const idWidth = 8;
const secretWidth = 43;
const checksumWidth = 6;
const pattern = new RegExp(`^${tag}([0-9A-Za-z]{${idWidth}})_[0-9A-Za-z]{${secretWidth + checksumWidth}}$`);

/** `koine_<id>_<256 random bits><CRC-32 of all before it>`, in base 62. */
export function createKey(): NewKey {
  const id = encodeBase62(readRandom(8) % 62n ** BigInt(idWidth), idWidth);
  const prefix = tag + id;
  const body = `${prefix}_${encodeBase62(readRandom(32), secretWidth)}`;
  const text = body + calculateChecksum(body);
  return { text, id, prefix, digest: digestKey(text) };
}

/** The public parts of a well-formed key; `undefined` where the form or the checksum is wrong. */
export function parseKey(text: string): Pick<NewKey, 'id' | 'prefix'> | undefined {
  const id = pattern.exec(text)?.[1];
  if (id === undefined) return undefined;
  const body = text.slice(0, -checksumWidth);
  return body + calculateChecksum(body) === text ? { id, prefix: tag + id } : undefined;
}

/** Does it claim to be a key of ours? Then it must parse, or it is none. */
export const isTagged = (text: string): boolean => text.startsWith(tag);

/** The id in a key or in the public beginning of one; any other text as it is. */
export const readKeyId = (text: string): string =>
  isTagged(text) ? text.slice(tag.length, tag.length + idWidth) : text;

/** SHA-256 of the whole text. Fast and unsalted is right for 256 random bits: there is nothing to guess. */
export const digestKey = (text: string): Uint8Array => hash('sha256', text, 'buffer');

const calculateChecksum = (body: string): string => encodeBase62(BigInt(crc32(body)), checksumWidth);

const readRandom = (bytes: number): bigint => BigInt(`0x${randomBytes(bytes).toString('hex')}`);
