import type { GenerateRequest, Part, Turn } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined, type TargetProfile, writeExtraMembers } from '../../../../../core/api/codec.ts';
import { encodeTier } from '../../../service-tier.ts';
import { readForm } from '../../request-form.ts';
import { WIRE } from '../../shape.ts';
import { encodeReasoning, encodeSampling, encodeStorage, encodeText, encodeUser, loseSampling } from './settings.ts';
import { encodeTools } from './tools.ts';
import { encodeTurnExtra, encodeTurns } from './turns.ts';

/** A block of another wire is never written. */
const isForeign = (part: Part): boolean => part.type === 'opaque' && part.wire !== WIRE;
/** A system turn of plain text. */
const isInstructions = ({ role, parts, extra }: Turn): boolean =>
  role === 'system' &&
  (extra === undefined || extra.wire !== WIRE) &&
  parts.some(({ type }) => type === 'text') &&
  parts.every((part) => isForeign(part) || (part.type === 'text' && part.cache === undefined));

/** Writes the first turn as `instructions` if it is a plain system prompt. All other turns are items. */
const splitInstructions = (
  request: GenerateRequest,
  lose: Lose,
): { readonly instructions?: string; readonly turns: readonly Turn[] } => {
  const [first, ...turns] = request.turns;
  if (first === undefined || !isInstructions(first) || turns.length === 0 || readForm(request).systemItem === true)
    return { turns: request.turns };
  encodeTurnExtra(first, { path: 'instructions', lose });
  for (const [index, part] of first.parts.entries())
    if (isForeign(part)) lose(`input[0].content[${index}]`, 'dropped', 'a block that exists only on another wire');
  return { instructions: first.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n\n'), turns };
};

/** https://platform.openai.com/docs/api-reference/responses/create */
export function encodeRequest(request: GenerateRequest, profile: TargetProfile, lose: Lose) {
  const extra = writeExtraMembers(request.extra, WIRE, lose);
  const { instructions, turns } = splitInstructions(request, lose);
  loseSampling(request, lose);
  const body = omitUndefined({
    model: profile.model,
    instructions,
    input: encodeTurns(turns, request, lose),
    ...extra,
    ...encodeTools(request, lose),
    ...encodeText(request, extra),
    ...encodeSampling(request, lose),
    ...encodeReasoning(request, extra, lose),
    ...encodeUser(request, lose),
    service_tier: request.serviceTier === undefined ? undefined : encodeTier(request.serviceTier, lose),
    prompt_cache_key: request.cacheKey,
    ...encodeStorage(request, extra),
    ...(request.stream ? { stream: true } : {}),
  });
  return { body, headers: {} };
}
