import { createEventDecoder, defineCodec } from '../../../core/api/codec.ts';
import { decodeError } from '../error.ts';
import { encodeRequest } from './request.ts';
import { decodeResponse } from './response.ts';
import { traits, WIRE } from './shape.ts';
import { ChatReader } from './stream.ts';
import { usageMembers } from './usage.ts';

/** `POST /v2/chat`: https://docs.cohere.com/reference/chat. Upstream only: every request is translated. */
export const chatCodec = defineCodec<'generate'>({
  operation: 'generate',
  wire: WIRE,
  traits,
  upstream: {
    limits: {
      choices: false,
      customTools: false,
      jsonWithTools: false,
      documents: false,
      audio: false,
      video: false,
    },
    usageMembers,
    encodeRequest,
    decodeResponse,
    decodeStream: (context) => createEventDecoder((events) => new ChatReader(context, events)),
    decodeError: (reply) => decodeError(WIRE, reply),
  },
});
