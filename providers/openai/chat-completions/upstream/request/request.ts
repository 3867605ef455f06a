import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import {
  type Lose,
  omitUndefined,
  readObject,
  type TargetProfile,
  writeExtraMembers,
} from '../../../../../core/api/codec.ts';
import { encodeTier } from '../../../service-tier.ts';
import { shortenUser } from '../../../shorten.ts';
import { WIRE } from '../../shape.ts';
import { encodeLogprobs, encodeOutput, encodeReasoning, encodeSampling } from './settings.ts';
import { encodeTools } from './tools.ts';
import { encodeTurns } from './turns.ts';

/**
 * Usage is always requested, for billing, except from a server that refuses the member. The client encoder leaves it
 * out where the client did not ask for it.
 */
const encodeStreaming = (
  { stream, includeUsage, wire }: GenerateRequest,
  options: unknown,
  { refusesUsageOption = false }: TargetProfile,
  lose: Lose,
): JsonObject => {
  if (!stream) return {};
  if (!refusesUsageOption) return { stream: true, stream_options: { ...readObject(options), include_usage: true } };
  if (includeUsage && wire === WIRE) lose('stream_options', 'dropped', 'this provider refuses the member');
  return omitUndefined({ stream: true, stream_options: options });
};

const encodeUser = ({ user, wire }: GenerateRequest, lose: Lose): string | undefined =>
  user === undefined || wire === WIRE ? user : shortenUser(user, lose);

/** https://platform.openai.com/docs/api-reference/chat/create */
export function encodeRequest(request: GenerateRequest, profile: TargetProfile, lose: Lose) {
  const { stream_options: streamOptions, reasoning: object, ...extra } = writeExtraMembers(request.extra, WIRE, lose);
  const body = omitUndefined({
    model: profile.model,
    messages: encodeTurns(request, lose),
    ...encodeLogprobs(request),
    ...extra,
    ...encodeTools(request, lose),
    ...(request.output === undefined ? {} : encodeOutput(request.output)),
    ...encodeSampling(request, profile.capMember, lose),
    ...(request.reasoning === undefined && object === undefined ? {} : encodeReasoning(request, profile, lose)),
    verbosity: request.verbosity,
    user: encodeUser(request, lose),
    service_tier: request.serviceTier === undefined ? undefined : encodeTier(request.serviceTier, lose),
    prompt_cache_key: request.cacheKey,
    store: request.store,
    ...encodeStreaming(request, streamOptions, profile, lose),
  });
  return { body, headers: {} };
}
