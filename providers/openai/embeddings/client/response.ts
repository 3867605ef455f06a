import type { EmbedResponse, JsonObject } from '../../../../core/api/index.ts';
import type { WriteContext } from '../../../../core/api/codec.ts';
import { UNNAMED } from '../../chat-completions/client/response/response.ts';
import { writeUsage } from '../usage.ts';
import { formatBase64 } from '../vector.ts';

/**
 * https://platform.openai.com/docs/api-reference/embeddings/object. The SDK requests base64 by default, and some of its
 * versions cannot read numbers.
 */
export function encodeResponse(
  { model, vectors, usage }: EmbedResponse,
  { request, inputEstimate }: WriteContext<'embed'>,
): JsonObject {
  const format = request.encoding === 'base64' ? formatBase64 : (vector: Float32Array) => Array.from(vector);
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: format(vector) })),
    model: model ?? UNNAMED,
    usage: writeUsage(usage, inputEstimate),
  };
}
