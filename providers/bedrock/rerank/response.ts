import type { RerankResponse } from '../../../core/api/index.ts';
import { isObject, malformedBody } from '../../../core/api/codec.ts';
import { readRanks } from '../../../core/api/internal.ts';

/**
 * The vendor reports no usage. It bills calls of up to 100 documents, which are counted from the request:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/rerank-pricing.html
 * @throws GatewayError `upstream_bad_response`
 */
export function decodeResponse(body: unknown): RerankResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  return { results: readRanks(body['results']) };
}
