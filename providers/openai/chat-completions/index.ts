import { defineCodec, type ModelEntry, type ModelList } from '../../../core/api/codec.ts';
import { encodeError } from './client/response/error.ts';
import { encodeLimits } from './client/response/limits.ts';
import { listHostedTools } from './client/request/tools.ts';
import { spelling } from './client/request/member-names.ts';
import { references } from './client/request/references.ts';
import { decodeRequest } from './client/request/request.ts';
import { encodeResponse } from './client/response/response.ts';
import { encodeStream } from './client/response/stream.ts';
import { WIRE } from './shape.ts';
import { limits, traits } from './traits.ts';
import { decodeError } from './upstream/response/error.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request/request.ts';
import { decodeResponse } from './upstream/response/response.ts';
import { decodeStream } from './upstream/response/stream.ts';
import { usageMembers } from './usage-members.ts';
import { textMembers } from './client/request/text-members.ts';

const describeModel = ({ id, provider, created }: ModelEntry) => ({ id, object: 'model', created, owned_by: provider });

/**
 * `GET /v1/models` for clients whose headers name no other wire: https://platform.openai.com/docs/api-reference/models
 */
const chatModels: ModelList = {
  list: (models) => ({ object: 'list', data: models.map(describeModel) }),
  one: describeModel,
};

/** OpenAI's Chat Completions API: https://platform.openai.com/docs/api-reference/chat */
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
    textMembers,
    references,
    hostedTools: listHostedTools,
  },
  upstream: { limits, usageMembers, encodeRequest, decodeResponse, decodeStream, decodeError, native },
});
