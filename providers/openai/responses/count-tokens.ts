import { promptOf, type GenerateRequest, type TokenCount } from '../../../core/api/index.ts';
import {
  createCountTap,
  defineCodec,
  isObject,
  requireCount,
  type Lose,
  type Tap,
  type TargetProfile,
} from '../../../core/api/codec.ts';
import { encodeError } from './client/response/error.ts';
import { encodeLimits } from '../chat-completions/client/response/limits.ts';
import { references } from './client/request/references.ts';
import { decodeRequest } from './client/request/request.ts';
import { WIRE } from './shape.ts';
import { limits, traits } from './traits.ts';
import { decodeEmbeddedError, decodeError, holdsError } from './upstream/response/error.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request/request.ts';
import { textMembers } from './client/request/text-members.ts';

/** Members of a generate request that the counting endpoint does not accept. */
const refused: ReadonlySet<string> = new Set([
  'background',
  'context_management',
  'include',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'moderation',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'top_logprobs',
  'top_p',
  'user',
]);

const encodeCount = (request: GenerateRequest, profile: TargetProfile, lose: Lose) => {
  const { body, headers } = encodeRequest(promptOf(request), profile, lose);
  return { body: Object.fromEntries(Object.entries(body).filter(([member]) => !refused.has(member))), headers };
};

const decodeCount = (body: unknown): TokenCount => {
  if (isObject(body) && holdsError(body)) throw decodeEmbeddedError(body);
  const count = isObject(body) ? body['input_tokens'] : undefined;
  return { inputTokens: requireCount(count), estimated: false };
};

const createTap = (): Tap =>
  createCountTap(decodeCount, (error, write) => write(undefined, JSON.stringify(encodeError(error).body)));

/** https://platform.openai.com/docs/api-reference/responses/input-tokens */
export const responsesCountCodec = defineCodec<'count-tokens'>({
  operation: 'count-tokens',
  wire: WIRE,
  traits,
  client: {
    decodeRequest: (inbound) => {
      const { model, request } = decodeRequest(inbound);
      return { model, request: { ...request, stream: false } };
    },
    encodeResponse: ({ inputTokens }) => ({ object: 'response.input_tokens', input_tokens: inputTokens }),
    encodeError,
    encodeLimits,
    references,
    textMembers,
  },
  upstream: {
    limits,
    encodeRequest: encodeCount,
    decodeResponse: decodeCount,
    decodeError,
    native: (inbound, request, profile) => {
      const { edits, headers } = native(inbound, request, profile);
      return { edits, headers, tap: createTap };
    },
  },
});
