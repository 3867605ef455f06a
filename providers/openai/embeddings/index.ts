import { defineCodec } from '../../../core/api/codec.ts';
import { encodeError } from '../chat-completions/client/response/error.ts';
import { encodeLimits } from '../chat-completions/client/response/limits.ts';
import { decodeError } from '../chat-completions/upstream/response/error.ts';
import { spelling, textMembers } from './client/member-names.ts';
import { decodeRequest } from './client/request.ts';
import { encodeResponse } from './client/response.ts';
import { WIRE } from './shape.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request.ts';
import { decodeResponse } from './upstream/response.ts';
import { usageMembers } from './usage.ts';

/**
 * OpenAI's Embeddings API: https://platform.openai.com/docs/api-reference/embeddings. Errors and limit headers are the
 * same as on chat completions.
 */
export const embeddingsCodec = defineCodec<'embed'>({
  operation: 'embed',
  wire: WIRE,
  client: { decodeRequest, encodeResponse, encodeError, encodeLimits, spelling, textMembers },
  upstream: { limits: {}, usageMembers, encodeRequest, decodeResponse, decodeError, native },
});
