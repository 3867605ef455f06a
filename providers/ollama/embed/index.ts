import { defineCodec, defineKnownMembers } from '../../../core/api/codec.ts';
import { decodeError } from '../error.ts';
import { encodeRequest, WIRE } from './request.ts';
import { decodeResponse } from './response.ts';

/** `POST /api/embed`: https://docs.ollama.com/api/embed. Upstream only. */
export const embedCodec = defineCodec<'embed'>({
  operation: 'embed',
  wire: WIRE,
  upstream: {
    limits: {},
    usageMembers: defineKnownMembers({ prompt_eval_count: true }),
    encodeRequest,
    decodeResponse,
    decodeError: (reply) => decodeError(WIRE, reply),
  },
});
