import {
  promptOf,
  type GenerateRequest,
  type Headers,
  type JsonObject,
  type TokenCount,
} from '../../../core/api/index.ts';
import {
  createCountTap,
  defineCodec,
  isObject,
  requireCount,
  type Lose,
  type Tap,
  type TargetProfile,
} from '../../../core/api/codec.ts';
import { encodeErrorBody, encodeError } from './client/response/error.ts';
import { encodeLimits } from './client/response/limits.ts';
import { references } from './client/request/references.ts';
import { decodeCountRequest } from './client/request/request.ts';
import { WIRE } from './shape.ts';
import { limits, traits } from './traits.ts';
import { decodeError, decodeErrorBody } from './upstream/response/error.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request/request.ts';
import { textMembers } from './client/request/text-members.ts';

/** Members of a generation request that the counting endpoint rejects. */
const refused: ReadonlySet<string> = new Set([
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'stream',
  'metadata',
  'service_tier',
]);

const encodeCount = (
  request: GenerateRequest,
  profile: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Headers } => {
  const { body, headers } = encodeRequest(promptOf(request), profile, lose);
  return { body: Object.fromEntries(Object.entries(body).filter(([member]) => !refused.has(member))), headers };
};

const decodeCount = (body: unknown): TokenCount => {
  if (isObject(body) && body['type'] === 'error') throw decodeErrorBody(body);
  const count = isObject(body) ? body['input_tokens'] : undefined;
  return { inputTokens: requireCount(count), estimated: false };
};

const createTap = (): Tap =>
  createCountTap(decodeCount, (error, write) => write('error', JSON.stringify(encodeErrorBody(error))));

/** Counts the tokens of a prompt: https://platform.claude.com/docs/en/api/messages-count-tokens */
export const messagesCountCodec = defineCodec<'count-tokens'>({
  operation: 'count-tokens',
  wire: WIRE,
  traits,
  client: {
    decodeRequest: decodeCountRequest,
    encodeResponse: ({ inputTokens }) => ({ input_tokens: inputTokens }),
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
    native: (inbound, request, profile) => ({ ...native(inbound, request, profile), tap: createTap }),
  },
});
