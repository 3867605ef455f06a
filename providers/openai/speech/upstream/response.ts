import type { SpeakResponse } from '../../../../core/api/index.ts';
import { isObject, malformedBody, type ReadContext } from '../../../../core/api/codec.ts';
import { decodeEmbeddedError, holdsError } from '../../chat-completions/upstream/response/error.ts';

/** @throws GatewayError the error inside a 200, or `upstream_bad_response` */
export function decodeResponse(body: unknown, { headers }: Pick<ReadContext, 'headers'>): SpeakResponse {
  if (body instanceof Uint8Array && body.byteLength > 0)
    return { audio: body, mediaType: headers?.['content-type'] ?? 'application/octet-stream' };
  if (isObject(body) && holdsError(body)) throw decodeEmbeddedError(body);
  throw malformedBody('has no audio');
}
