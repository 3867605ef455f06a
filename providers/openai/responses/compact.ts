import type { Compaction, GenerateRequest, JsonObject } from '../../../core/api/index.ts';
import {
  defineCodec,
  isObject,
  malformedBody,
  omitUndefined,
  type Lose,
  type TargetProfile,
} from '../../../core/api/codec.ts';
import { encodeError } from './client/response/error.ts';
import { encodeLimits } from './client/response/limits.ts';
import { references } from './client/request/references.ts';
import { decodeRequest } from './client/request/request.ts';
import { spelling } from './client/request/member-names.ts';
import { WIRE } from './shape.ts';
import { traits } from './traits.ts';
import { decodeEmbeddedError, decodeError, holdsError } from './upstream/response/error.ts';
import { limits } from './upstream/response/limits.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request/request.ts';
import { usageMembers } from './usage-members.ts';
import { readUsage } from './usage.ts';
import { textMembers } from './client/request/text-members.ts';

/** Without the members that the gateway adds to a request for a response. */
const encodeCompaction = (
  request: GenerateRequest,
  profile: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Record<string, string> } => {
  const { body, headers } = encodeRequest(request, profile, lose);
  const { store: _store, include: _include, ...accepted } = body;
  return { body: accepted, headers };
};

const decodeCompaction = (body: unknown): Compaction => {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  if (holdsError(body)) throw decodeEmbeddedError(body);
  if (!Array.isArray(body['output'])) throw malformedBody('has no output');
  return omitUndefined({ body, usage: readUsage(body) });
};

/**
 * Compacts a conversation: https://platform.openai.com/docs/guides/compaction. The result is encrypted, so no other
 * wire has it.
 */
export const responsesCompactCodec = defineCodec<'compact'>({
  operation: 'compact',
  wire: WIRE,
  traits,
  client: {
    decodeRequest: (inbound) => {
      const { model, request, ...others } = decodeRequest(inbound);
      return { ...others, model, request: { ...request, stream: false } };
    },
    encodeResponse: ({ body }) => body,
    encodeError,
    encodeLimits,
    references,
    spelling,
    textMembers,
  },
  upstream: {
    limits,
    usageMembers,
    encodeRequest: encodeCompaction,
    decodeResponse: decodeCompaction,
    decodeError,
    native: (inbound, request, profile) => {
      const { addToResponse: _outputText, ...plan } = native(inbound, request, profile);
      return plan;
    },
  },
});
