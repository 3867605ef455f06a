import { defineCodec } from '../../../core/api/codec.ts';
import { decodeError, encodeError } from './error.ts';
import { native } from './native.ts';
import { decodeRequest, encodeRequest, spelling } from './request.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import { WIRE } from './shape.ts';
import { usageMembers } from './usage.ts';

/** The Rerank API of Jina, which vLLM, Together and others serve: https://jina.ai/reranker */
export const rerankCodec = defineCodec<'rerank'>({
  operation: 'rerank',
  wire: WIRE,
  client: { decodeRequest, encodeResponse, encodeError, spelling },
  upstream: { limits: {}, usageMembers, encodeRequest, decodeResponse, decodeError, native },
});
