import { defineCodec } from '../../../core/api/codec.ts';
import { decodeError } from '../generate-content/upstream/response/error.ts';
import { usageMembers } from '../generate-content/usage.ts';
import { decodeResponse as decodeVectors } from '../embed-content/upstream/response.ts';
import { encodePredict, encodeSingle } from './request.ts';
import { decodePredictions } from './response.ts';

/**
 * `:predict` of embedding models at Vertex AI, for upstreams only:
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api
 */
export const predictCodec = defineCodec<'embed'>({
  operation: 'embed',
  wire: 'predict',
  upstream: { limits: {}, encodeRequest: encodePredict, decodeResponse: decodePredictions, decodeError },
});

/** `:embedContent` of newer models at Vertex AI, which accepts one content and nests its settings. */
export const singleEmbedCodec = defineCodec<'embed'>({
  operation: 'embed',
  wire: 'embed-content-single',
  upstream: { limits: {}, usageMembers, encodeRequest: encodeSingle, decodeResponse: decodeVectors, decodeError },
});
