import { defineCodec, defineKnownMembers } from '../../../core/api/codec.ts';
import { decodeError } from '../error.ts';
import { encodeRequest } from './request.ts';
import { decodeResponse } from './response.ts';
import { WIRE } from './shape.ts';

/** `POST /v2/embed`: https://docs.cohere.com/reference/embed. Upstream only. */
export const embedCodec = defineCodec<'embed'>({
  operation: 'embed',
  wire: WIRE,
  upstream: {
    limits: {},
    usageMembers: defineKnownMembers({ input_tokens: true, image_tokens: true }),
    encodeRequest,
    decodeResponse,
    decodeError: (reply) => decodeError(WIRE, reply),
  },
});
