import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Random } from './random.ts';

/** A body as bytes, with its headers. */
export interface Encoded {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

const flip = (bytes: Buffer, random: Random): Buffer => {
  const damaged = Buffer.from(bytes);
  for (let times = 1 + random.below(8); times > 0 && damaged.length > 0; times -= 1)
    damaged[random.below(damaged.length)] = random.below(256);
  return damaged;
};

/** Duplicates a member of an object, perhaps in another spelling. */
const duplicateMember = (text: string, random: Random): string => {
  const members = [...text.matchAll(/"([a-zA-Z_]+)":/g)];
  if (members.length === 0) return text;
  const { index, 1: name = '' } = random.pick(members);
  const duplicate = random.pick([
    name,
    name.toUpperCase(),
    `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`,
  ]);
  const value = random.pick(['1', 'null', '"x"', '[]', '99999999']);
  return `${text.slice(0, index)}"${duplicate}":${value},${text.slice(index)}`;
};

const damages: readonly ((text: string, random: Random) => Buffer)[] = [
  (text, random) => Buffer.from(text).subarray(0, random.below(text.length + 1)),
  (text, random) => flip(Buffer.from(text), random),
  (text, random) => Buffer.from(duplicateMember(text, random)),
  (text, random) => Buffer.from(duplicateMember(text, random)),
  (text) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(`${text}${text}`),
  (text, random) =>
    Buffer.from(`${' '.repeat(random.pick([1, 100_000]))}${text}${'\n'.repeat(random.pick([1, 100_000]))}`),
  (text, random) => Buffer.from(text.replaceAll(',', () => (random.chance(0.01) ? ',,' : ','))),
  (text, random) =>
    Buffer.from(
      text.replaceAll(/[a-z]/g, (letter) =>
        random.chance(0.02) ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter,
      ),
    ),
];

/** Encodes text as bytes, damaged in some cases. */
export const damage = (text: string, random: Random): Buffer =>
  random.chance(0.3) ? random.pick(damages)(text, random) : Buffer.from(text);

const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  identity: (bytes) => bytes,
};
/** Compression bombs. */
const bombs = ['[', '[],', '{"a":', '"a",', ' ', '\u0000'] as const;

/** Compresses the bytes in some cases, perhaps under a wrong name or as a bomb. */
export function encode(bytes: Buffer, random: Random): Encoded {
  if (random.chance(0.8)) return { headers: {}, bytes };
  const name = random.pick(Object.keys(codings));
  const plain = random.chance(0.1) ? Buffer.from(random.pick(bombs).repeat(2_000_000)) : bytes;
  const coded = (codings[name] ?? codings['identity'])?.(plain) ?? plain;
  const label = random.chance(0.15) ? random.pick(['gzip', 'br', 'gzip, gzip', 'x-unknown', 'zstd']) : name;
  return { headers: { 'content-encoding': label }, bytes: random.chance(0.1) ? flip(coded, random) : coded };
}

/** Splits the bytes into pieces, so that frames and characters are cut anywhere. */
export function cut(bytes: Buffer, random: Random): readonly Buffer[] {
  if (random.chance(0.5)) return [bytes];
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length && pieces.length < 50;) {
    const length = pieces.length === 49 ? bytes.length : 1 + random.below(Math.max(1, Math.ceil(bytes.length / 8)));
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
