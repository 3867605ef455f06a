import { defineCodec } from '../../../core/api/codec.ts';
import { encodeError } from './client/response/error.ts';
import { listHostedTools } from './client/request/hosted-tools.ts';
import { spelling } from './client/request/member-names.ts';
import { references } from './client/request/references.ts';
import { decodeRequest } from './client/request/request.ts';
import { textMembers } from './client/request/text-members.ts';
import { encodeResponse } from './client/response/response.ts';
import { encodeStream } from './client/response/stream.ts';
import { kept } from './client/kept.ts';
import { WIRE } from './shape.ts';
import { limits, traits } from './traits.ts';
import { decodeError } from './upstream/response/error.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request/request.ts';
import { decodeResponse } from './upstream/response/response.ts';
import { decodeStream } from './upstream/response/stream.ts';
import { usageMembers } from './usage.ts';

/** The codec of `interactions`: https://ai.google.dev/api/interactions-api */
export const interactionsCodec = defineCodec<'generate'>({
  operation: 'generate',
  wire: WIRE,
  traits,
  client: {
    decodeRequest,
    encodeResponse,
    encodeStream,
    encodeError,
    spelling,
    textMembers,
    references,
    hostedTools: listHostedTools,
    // https://ai.google.dev/api/interactions-api
    stored: {
      retrieve: { method: 'GET', suffix: '' },
      cancel: { method: 'POST', suffix: '/cancel' },
      delete: { method: 'DELETE', suffix: '' },
    },
    kept,
  },
  upstream: { limits, usageMembers, encodeRequest, decodeResponse, decodeStream, decodeError, native },
});
