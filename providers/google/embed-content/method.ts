import { isObject, parseJson } from '../../../core/api/codec.ts';

export type EmbedMethod = 'embedContent' | 'batchEmbedContents';

/** The start of a batch as the official clients write it. It avoids parsing long batches. */
const BATCH = /^\s*\{\s*"requests"\s*:/;
const BEGINNING = 64;

/** Selects the vendor's method for a body. On the native lane, that is the method that the client called. */
export function selectMethod(bytes: Uint8Array): EmbedMethod {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (BATCH.test(body.toString('utf8', 0, BEGINNING))) return 'batchEmbedContents';
  const parsed = parseJson(body.toString('utf8'));
  return isObject(parsed) && 'content' in parsed && !('requests' in parsed) ? 'embedContent' : 'batchEmbedContents';
}
