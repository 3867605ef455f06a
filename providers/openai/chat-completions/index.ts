import { defineCodec } from '../../../core/index.ts';
import { encodeError } from './client/error.ts';
import { encodeLimits } from './client/limits.ts';
import { spelling } from './client/member-names.ts';
import { references } from './client/references.ts';
import { decodeRequest } from './client/request.ts';
import { encodeResponse } from './client/response.ts';
import { encodeStream } from './client/stream.ts';
import { chatModels } from './models.ts';
import { WIRE } from './shape.ts';
import { traits } from './traits.ts';
import { decodeError } from './upstream/error.ts';
import { limits } from './upstream/limits.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request.ts';
import { decodeResponse } from './upstream/response.ts';
import { decodeStream } from './upstream/stream.ts';

/** OpenAI's Chat Completions, both ways: https://platform.openai.com/docs/api-reference/chat */
export const chatCompletionsCodec = defineCodec<'generate'>({
  operation: 'generate',
  wire: WIRE,
  traits,
  client: {
    decodeRequest,
    encodeResponse,
    encodeStream,
    encodeError,
    encodeLimits,
    models: chatModels,
    spelling,
    references,
  },
  upstream: { limits, encodeRequest, decodeResponse, decodeStream, decodeError, native },
});
