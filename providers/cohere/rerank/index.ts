import { defineCodec, defineKnownMembers } from '../../../core/api/codec.ts';
import { decodeError, encodeError } from './error.ts';
import { native } from './native.ts';
import { decodeRequest, encodeRequest, spelling } from './request.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import { WIRE } from './shape.ts';

/** Cohere's Rerank API, for clients and towards the vendor: https://docs.cohere.com/reference/rerank */
export const rerankCodec = defineCodec<'rerank'>({
  operation: 'rerank',
  wire: WIRE,
  client: { decodeRequest, encodeResponse, encodeError, spelling },
  upstream: {
    limits: {},
    usageMembers: defineKnownMembers({ search_units: true, input_tokens: true }),
    encodeRequest,
    decodeResponse,
    decodeError,
    native,
  },
});
