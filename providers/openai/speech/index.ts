import { defineCodec } from '../../../core/api/codec.ts';
import { encodeError } from '../chat-completions/client/response/error.ts';
import { encodeLimits } from '../chat-completions/client/response/limits.ts';
import { decodeError } from '../chat-completions/upstream/response/error.ts';
import { encodeStream } from '../transcriptions/client/stream.ts';
import { spelling, textMembers } from './client/member-names.ts';
import { decodeRequest } from './client/request.ts';
import { encodeAsStream, encodeResponse } from './client/response.ts';
import { WIRE } from './shape.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request.ts';
import { decodeResponse } from './upstream/response.ts';
import { usageMembers } from './usage.ts';

/** https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const speechCodec = defineCodec<'speak'>({
  operation: 'speak',
  wire: WIRE,
  traits: { fieldNames: { stream: 'stream_format' } },
  client: {
    decodeRequest,
    encodeResponse,
    encodeAsStream,
    encodeStream,
    encodeError,
    encodeLimits,
    spelling,
    textMembers,
  },
  upstream: { limits: {}, usageMembers, encodeRequest, decodeResponse, decodeError, native },
});
