import { defineCodec } from '../../../core/api/codec.ts';
import { decodeError } from '../converse/response/error.ts';
import { encodeRequest } from './request.ts';
import { decodeResponse } from './response.ts';
import { WIRE } from './shape.ts';

/**
 * InvokeModel of models that rerank, for upstreams only. The Rerank API of `bedrock-agent-runtime` has the same models,
 * but takes no Bedrock API keys: https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-reference.html
 */
export const rerankCodec = defineCodec<'rerank'>({
  operation: 'rerank',
  wire: WIRE,
  upstream: { limits: {}, encodeRequest, decodeResponse, decodeError },
});
