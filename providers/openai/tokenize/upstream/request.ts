import { type GenerateRequest, promptOf } from '../../../../core/api/index.ts';
import { type Lose, type TargetProfile, writeExtraMembers } from '../../../../core/api/codec.ts';
import { encodeRequest as encodeChat } from '../../chat-completions/upstream/request/request.ts';
import { WIRE as CHAT } from '../../chat-completions/shape.ts';
import { WIRE } from '../shape.ts';

/** Members of a request to generate that do not count. */
const refused: ReadonlySet<string> = new Set([
  'metadata',
  'parallel_tool_calls',
  'prompt_cache_key',
  'reasoning_effort',
  'response_format',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'tool_choice',
  'user',
  'verbosity',
]);

/** The text of a prompt. A client of another wire sends a conversation. */
const findPrompt = ({ wire, turns: [turn, ...others], tools }: GenerateRequest): string | undefined => {
  if (wire !== WIRE || turn?.role !== 'user' || others.length > 0 || tools.length > 0) return undefined;
  const [part, ...more] = turn.parts;
  return part?.type === 'text' && more.length === 0 ? part.text : undefined;
};

/** A text without a conversation stays one: a template would add tokens to it. */
export function encodeRequest(request: GenerateRequest, profile: TargetProfile, lose: Lose) {
  const prompt = findPrompt(request);
  if (prompt !== undefined)
    return { body: { model: profile.model, prompt, ...writeExtraMembers(request.extra, WIRE, lose) }, headers: {} };
  const { extra } = request;
  const written = extra.wire === WIRE ? { ...request, extra: { ...extra, wire: CHAT } } : request;
  const { body, headers } = encodeChat(promptOf(written), profile, lose);
  return { body: Object.fromEntries(Object.entries(body).filter(([member]) => !refused.has(member))), headers };
}
