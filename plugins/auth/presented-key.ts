import type { RequestHead } from '../../core/api/index.ts';
import { keyHeaders } from '../../core/api/internal.ts';

/** Longer keys are refused without a lookup. */
export const MAX_KEY_LENGTH = 512;

/**
 * The key that a client presents, or undefined. Only the first place that is not empty counts. Clients of the messages
 * wire may send two keys: there `x-api-key` takes precedence, elsewhere `authorization` does.
 */
export function readPresentedKey(head: Pick<RequestHead, 'headers' | 'query' | 'route'>): string | undefined {
  const { headers, query } = head;
  const bearer = readBearer(headers['authorization']);
  if (bearer && !(head.route.wire === 'messages' && headers['x-api-key'])) return bearer;
  for (const name of keyHeaders) if (headers[name]) return headers[name];
  return query['key'] || undefined;
}

/** The token of a bearer header, undefined for another scheme. It may be empty: SDKs without a key send that. */
const readBearer = (header: string | undefined): string | undefined =>
  header !== undefined && header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : undefined;
