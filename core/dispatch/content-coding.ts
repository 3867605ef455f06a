import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { GatewayError } from '../errors.ts';

/** What an answer may become when it is unpacked: more is no answer. */
const MOST_BYTES = 64 * 1_048_576;
export const MOST_RATIO = 200;
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
export const readCoding = (encoding: string | undefined): string => {
  const name = encoding?.trim().toLowerCase() ?? '';
  return name === 'identity' ? '' : name;
};

/** `undefined` for a name that is not known. */
export const createInflater = (name: string): Inflater | undefined => (Object.hasOwn(inflaters, name) ? inflaters[name]?.() : undefined);

/** Is this too much for the compressed bytes that it came from? @param inflated bytes so far */
export const isBomb = (inflated: number, { bytesWritten }: Inflater): boolean => inflated > RATIO_FROM && inflated > bytesWritten * MOST_RATIO;

export interface PlainBody {
  readonly stream: Readable;
  /** Is told the length of each chunk. @throws GatewayError `upstream_bad_response` where there is too much of it */
  count(bytes: number): void;
}

const uncounted = (): void => {};

/**
 * The body without its `content-encoding`, unpacked chunk by chunk as it comes.
 * @throws GatewayError `upstream_bad_response` for an encoding that is not known
 */
export const decodeBody = (body: Readable, encoding: string | undefined): PlainBody => {
  const name = readCoding(encoding);
  if (name === '') return { stream: body, count: uncounted };
  const stream = createInflater(name);
  if (stream === undefined) throw new GatewayError('upstream_bad_response', `The provider sent content-encoding ${JSON.stringify(name.slice(0, 64))}, which is not known here.`);
  let length = 0;
  // What goes wrong on either side is thrown to the reader of the stream.
  pipeline(body, stream, () => {});
  return {
    stream,
    count: (bytes) => {
      length += bytes;
      if (length <= MOST_BYTES && !isBomb(length, stream)) return;
      throw new GatewayError('upstream_bad_response', `The ${name} answer of the provider unpacks to more than 64 MB, or to more than ${MOST_RATIO} times its size.`);
    },
  };
};
