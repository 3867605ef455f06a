import type { RequestHead } from '../../core/index.ts';

/** No key has more characters: a longer one is refused before any work is spent on it. */
export const LONGEST_KEY = 512;

/**
 * The key that a client presents, or `undefined` where there is none. One place speaks: the first that is filled.
 * A client of the messages wire may send two keys; there its own header counts, elsewhere `authorization` does.
 */
export function readPresentedKey(head: Pick<RequestHead, 'headers' | 'query' | 'route'>): string | undefined {
  const { headers, query } = head;
  const own = headers['x-api-key'];
  const bearer = readBearer(headers['authorization']);
  const first = head.route.wire === 'messages' ? own || bearer : bearer || own;
  return first || headers['x-alt-api-key'] || headers['x-goog-api-key'] || query['key'] || undefined;
}

/** The token of a bearer header. Another scheme is not ours, and an empty token is what SDKs send that were given no key. */
const readBearer = (header: string | undefined): string | undefined =>
  header !== undefined && header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : undefined;
