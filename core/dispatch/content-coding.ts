import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** The highest ratio of decompressed to compressed bytes that is accepted, of requests and responses. */
export const MAX_RATIO = 200;
/** Decompressed bytes from which the ratio is checked: short bodies can be that repetitive. */
const RATIO_FROM = 1_048_576;

/** Decompresses what is written to it. `bytesWritten`: the compressed bytes that it has processed. */
export type Inflater = Transform & { readonly bytesWritten: number };

const inflaters: Readonly<Record<string, () => Inflater>> = {
  'gzip': createGunzip,
  'x-gzip': createGunzip,
  'deflate': createInflate,
  'br': createBrotliDecompress,
  'zstd': createZstdDecompress,
};

/** The content-encoding in lower case; empty if the body is not compressed. */
export function readCoding(encoding: string | undefined): string {
  const name = encoding?.trim().toLowerCase() ?? '';
  return name === 'identity' ? '' : name;
}

/** @returns undefined for an unknown encoding */
export const createInflater = (name: string): Inflater | undefined =>
  Object.hasOwn(inflaters, name) ? inflaters[name]?.() : undefined;

/** Whether a body has decompressed to too much for its size. @param inflated decompressed bytes so far */
export const isBomb = (inflated: number, { bytesWritten }: Inflater): boolean =>
  inflated > RATIO_FROM && inflated > bytesWritten * MAX_RATIO;
