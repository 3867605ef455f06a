import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { GatewayError } from '../errors.ts';

/** What an answer may become when it is unpacked: more is no answer. */
const MOST_BYTES = 64 * 1_048_576;
const MOST_RATIO = 200;
/** Short answers may well be that repetitive. */
const RATIO_FROM = 1_048_576;

const decoders: Readonly<Record<string, () => Transform & { readonly bytesWritten: number }>> = {
  'gzip': createGunzip,
  'x-gzip': createGunzip,
  'deflate': createInflate,
  'br': createBrotliDecompress,
  'zstd': createZstdDecompress,
};

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
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return { stream: body, count: uncounted };
  const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (create === undefined) throw new GatewayError('upstream_bad_response', `The provider sent content-encoding ${JSON.stringify(name.slice(0, 64))}, which is not known here.`);
  const stream = create();
  let length = 0;
  // What goes wrong on either side is thrown to the reader of the stream.
  pipeline(body, stream, () => {});
  return {
    stream,
    count: (bytes) => {
      length += bytes;
      if (length <= MOST_BYTES && (length <= RATIO_FROM || length <= stream.bytesWritten * MOST_RATIO)) return;
      throw new GatewayError('upstream_bad_response', `The ${name} answer of the provider unpacks to more than 64 MB, or to more than ${MOST_RATIO} times its size.`);
    },
  };
};
