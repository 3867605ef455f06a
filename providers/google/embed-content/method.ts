import { isObject, parseJson } from '../../../core/index.ts';

export type EmbedMethod = 'embedContent' | 'batchEmbedContents';

/** How the official clients begin a batch, which may be long; `:embedContent` is one text. */
const BATCH = /^\s*\{\s*"requests"\s*:/;
const BEGINNING = 64;

/** Which of the vendor's two methods a body is for: on the native lane the client's own. */
export function selectMethod(bytes: Uint8Array): EmbedMethod {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (BATCH.test(body.toString('utf8', 0, BEGINNING))) return 'batchEmbedContents';
  const parsed = parseJson(body.toString('utf8'));
  return isObject(parsed) && 'content' in parsed && !('requests' in parsed) ? 'embedContent' : 'batchEmbedContents';
}
