import type { GenerateRequest, JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import { lookUp, type Lose, loseLogprobs, omitUndefined, readList } from '../../../../../core/api/codec.ts';
import { encodeSchema, encodeSeed, encodeStop } from '../../../settings.ts';
import { WIRE } from '../../shape.ts';

/** The wire has no level above `high`, and none that switches thinking off. */
const levels: Readonly<Record<string, string>> = {
  none: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

const encodeLevel = (effort: string, wire: string, lose: Lose): string => {
  const level = wire === WIRE ? effort : (lookUp(levels, effort) ?? effort);
  if (level !== effort) lose('reasoning_effort', 'approximated', `interactions has no effort '${effort}'`);
  return level;
};

/** Other wires show reasoning unless the client opts out; this wire hides it unless the client opts in. */
function encodeReasoning({ reasoning, wire }: GenerateRequest, lose: Lose): JsonObject {
  if (reasoning === undefined) return {};
  const { effort = reasoning.budget === 0 ? 'none' : undefined, budget, show } = reasoning;
  if (budget !== undefined && budget > 0)
    lose('reasoning.budget', 'dropped', 'interactions accepts a level, not a number of tokens');
  const level = effort === undefined ? undefined : encodeLevel(effort, wire, lose);
  const shows = show ?? ((level ?? budget) !== undefined && effort !== 'none' && wire !== WIRE);
  return omitUndefined({ thinking_level: level, thinking_summaries: shows ? 'auto' : undefined });
}

/** Parameters that this wire does not have, by their names in losses. */
const missing = {
  topK: 'top_k',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  verbosity: 'verbosity',
  user: 'user',
  cacheKey: 'prompt_cache_key',
} as const;
const missingNames = Object.keys(missing) as readonly (keyof typeof missing)[];

/** Reports the parameters that this wire does not have. */
export function loseUnsupported(request: GenerateRequest, lose: Lose): void {
  for (const name of missingNames)
    if (request[name] !== undefined) lose(missing[name], 'dropped', `interactions has no ${missing[name]}`);
  if (request.choices > 1) lose('n', 'dropped', 'interactions has one choice');
  loseLogprobs(request.logprobs, lose, 'interactions has no log probabilities');
}

/** `generation_config`: https://ai.google.dev/api/interactions-api */
export const encodeConfig = (request: GenerateRequest, choice: unknown, lose: Lose): JsonObject =>
  omitUndefined({
    max_output_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    seed: encodeSeed(request, WIRE, lose),
    stop_sequences: encodeStop(request, WIRE, lose),
    ...encodeReasoning(request, lose),
    tool_choice: choice,
  });

const encodeOutput = (output: OutputFormat, lose: Lose): JsonObject => ({
  type: 'text',
  mime_type: 'application/json',
  ...(output.type === 'json' ? {} : { schema: encodeSchema(output, WIRE, lose) }),
});

/**
 * `response_format`: https://ai.google.dev/gemini-api/docs/interactions/structured-output
 * @param kept formats that only this wire has
 */
export function encodeOutputFormat(output: OutputFormat | undefined, kept: unknown, lose: Lose): JsonObject {
  const formats = [...(output === undefined ? [] : [encodeOutput(output, lose)]), ...readList(kept)];
  if (formats.length === 0) return {};
  return { response_format: formats.length === 1 ? formats[0] : formats };
}
