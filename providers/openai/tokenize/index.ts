import { defineCodec, type WireTraits } from '../../../core/api/codec.ts';
import { encodeError } from '../chat-completions/client/response/error.ts';
import { encodeLimits } from '../chat-completions/client/response/limits.ts';
import { references } from '../chat-completions/client/request/references.ts';
import { decodeError } from '../chat-completions/upstream/response/error.ts';
import { spelling, textMembers } from './client/member-names.ts';
import { decodeRequest } from './client/request.ts';
import { encodeResponse } from './client/response.ts';
import { WIRE } from './shape.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request.ts';
import { decodeResponse } from './upstream/response.ts';
import { limits, traits as chatTraits } from '../chat-completions/traits.ts';
import { traits as completionTraits } from '../completions/traits.ts';

/** The messages are those of chat completions, the prompt is that of completions. */
const traits: WireTraits = {
  ...chatTraits,
  places: (body) => (body['messages'] === undefined ? completionTraits : chatTraits).places?.(body) ?? [],
};

/** The tokenizer API of vLLM. Errors and limit headers are the same as on chat completions. */
export const tokenizeCodec = defineCodec<'count-tokens'>({
  operation: 'count-tokens',
  wire: WIRE,
  traits,
  client: {
    decodeRequest,
    encodeResponse,
    encodeError,
    encodeLimits,
    references,
    spelling,
    textMembers,
  },
  upstream: { limits, encodeRequest, decodeResponse, decodeError, native },
});
