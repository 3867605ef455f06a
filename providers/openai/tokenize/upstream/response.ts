import type { TokenCount } from '../../../../core/api/index.ts';
import { isObject, requireCount } from '../../../../core/api/codec.ts';
import { decodeEmbeddedError, holdsError } from '../../chat-completions/upstream/response/error.ts';

/** @throws GatewayError the error inside a 200, or `upstream_bad_response` */
export function decodeResponse(body: unknown): TokenCount {
  if (isObject(body) && holdsError(body)) throw decodeEmbeddedError(body);
  return { inputTokens: requireCount(isObject(body) ? body['count'] : undefined), estimated: false };
}
