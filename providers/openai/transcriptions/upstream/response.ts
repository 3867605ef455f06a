import type { JsonObject, TranscribeResponse } from '../../../../core/api/index.ts';
import { malformedBody, omitUndefined } from '../../../../core/api/codec.ts';
import { requireBody } from '../../chat-completions/upstream/response/error.ts';
import { readUsage } from '../usage.ts';

/** @throws GatewayError the error inside a 200, or `upstream_bad_response` */
export function readResponse(body: unknown): { readonly response: JsonObject; readonly text: string } {
  const response = requireBody(body);
  const { text } = response;
  if (typeof text !== 'string') throw malformedBody('has no text');
  return { response, text };
}

/** @throws GatewayError the error inside a 200, or `upstream_bad_response` */
export function decodeResponse(body: unknown): TranscribeResponse {
  const { response, text } = readResponse(body);
  return omitUndefined({ text, usage: readUsage(response['usage'], 0) });
}
