import {
  type GenerateRequest,
  type JsonObject,
  type Lose,
  omitUndefined,
  type Part,
  type TargetProfile,
  type Turn,
  writeExtraMembers,
} from '../../../../../core/index.ts';
import { encodeTier } from '../../../service-tier.ts';
import { readForm } from '../../request-form.ts';
import { WIRE } from '../../shape.ts';
import { encodeMaxTokens, encodeReasoning, encodeStorage, encodeText, encodeUser, nameUnsaid } from './settings.ts';
import { encodeTools } from './tools.ts';
import { encodeKept, encodeTurns } from './turns.ts';

/** Blocks that only another wire knows are not written anyway. */
const isForeign = (part: Part): boolean => part.type === 'opaque' && part.wire !== WIRE;
const isPlain = ({ role, parts, extra }: Turn): boolean =>
  role === 'system' &&
  (extra === undefined || extra.wire !== WIRE) &&
  parts.some(({ type }) => type === 'text') &&
  parts.every((part) => isForeign(part) || (part.type === 'text' && part.cache === undefined));

/** The first turn as `instructions`, where it is a system prompt and nothing else; all others are items in their places. */
const splitInstructions = (
  request: GenerateRequest,
  lose: Lose,
): { readonly instructions?: string; readonly turns: readonly Turn[] } => {
  const [first, ...turns] = request.turns;
  if (first === undefined || !isPlain(first) || turns.length === 0 || readForm(request).instructions === false)
    return { turns: request.turns };
  encodeKept(first, { path: 'instructions', lose });
  if (first.parts.some(isForeign)) lose('input[0].content', 'dropped', 'a block that only another wire knows');
  return { instructions: first.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n\n'), turns };
};

/** https://platform.openai.com/docs/api-reference/responses/create */
export function encodeRequest(
  request: GenerateRequest,
  profile: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Record<string, string> } {
  const extra = writeExtraMembers(request.extra, WIRE, lose);
  const { instructions, turns } = splitInstructions(request, lose);
  nameUnsaid(request, lose);
  const body = omitUndefined({
    model: profile.model,
    instructions,
    input: encodeTurns(turns, request, lose),
    ...extra,
    ...encodeTools(request, lose),
    ...encodeText(request, extra),
    max_output_tokens: encodeMaxTokens(request, lose),
    temperature: request.temperature,
    top_p: request.topP,
    ...encodeReasoning(request, extra, lose),
    ...encodeUser(request, lose),
    service_tier: encodeTier(request.serviceTier, lose),
    prompt_cache_key: request.cacheKey,
    ...encodeStorage(request, extra),
    ...(request.stream ? { stream: true } : {}),
  });
  return { body, headers: {} };
}
