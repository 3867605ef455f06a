import { defineCodec } from '../../../core/api/codec.ts';
import { decodeError } from '../converse/response/error.ts';
import { encodeRequest } from './request.ts';
import { decodeResponse } from './response.ts';

/**
 * InvokeModel of embedding models, for upstreams only. Each maker has a body of its own, named by the model:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html,
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/embeddings-schema.html
 */
export const embedCodec = defineCodec<'embed'>({
  operation: 'embed',
  wire: 'bedrock-embed',
  upstream: { limits: {}, encodeRequest, decodeResponse, decodeError },
});

/** How many texts a model embeds in one call. Titan and Nova embed one. */
export const countTexts = (model: string): number => (model.includes('cohere.') ? 96 : 1);
