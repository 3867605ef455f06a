import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** More than so many times the compressed bytes is no answer and no request. */
export const MAX_RATIO = 200;
/** Short answers and requests may well be that repetitive. */
const RATIO_FROM = 1_048_576;

/** Inflates what is written to it. `bytesWritten`: compressed bytes that it has processed. */
export type Inflater = Transform & { readonly bytesWritten: number };

const inflaters: Readonly<Record<string, () => Inflater>> = {
  'gzip': createGunzip,
  'x-gzip': createGunzip,
  'deflate': createInflate,
  'br': createBrotliDecompress,
  'zstd': createZstdDecompress,
};

/** The content-encoding by its name in lower case; empty where nothing is compressed. */
export function readCoding(encoding: string | undefined): string {
  const name = encoding?.trim().toLowerCase() ?? '';
  return name === 'identity' ? '' : name;
}

/** `undefined` for a name that is not known. */
export const createInflater = (name: string): Inflater | undefined =>
  Object.hasOwn(inflaters, name) ? inflaters[name]?.() : undefined;

/** Is this too much for the compressed bytes that it came from? @param inflated bytes so far */
export const isBomb = (inflated: number, { bytesWritten }: Inflater): boolean =>
  inflated > RATIO_FROM && inflated > bytesWritten * MAX_RATIO;
