import type { GenerateRequest, JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import { lookUp, type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { encodeSchema, encodeSeed, encodeStop } from '../../../settings.ts';
import { WIRE } from '../../shape.ts';

/** https://ai.google.dev/gemini-api/docs/structured-output */
const encodeOutput = (output: OutputFormat, lose: Lose): JsonObject => ({
  responseMimeType: 'application/json',
  ...(output.type === 'json' ? {} : { responseJsonSchema: encodeSchema(output, WIRE, lose) }),
});

/** https://ai.google.dev/api/generate-content#ThinkingLevel. The wire has no level above `HIGH`. */
const levelOf: Readonly<Record<string, string>> = {
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

const encodeLevel = (effort: string, wire: string, lose: Lose): string => {
  if (wire === WIRE) return effort.toUpperCase();
  const level = lookUp(levelOf, effort) ?? effort.toUpperCase();
  if (level !== effort.toUpperCase())
    lose('reasoning_effort', 'approximated', `generate-content has no effort '${effort}'`);
  return level;
};

/** `thinkingConfig`: a level or a budget, never both. https://ai.google.dev/gemini-api/docs/thinking */
function encodeReasoning({ reasoning, wire }: GenerateRequest, lose: Lose): JsonObject | undefined {
  if (reasoning === undefined) return undefined;
  const { effort, budget, show } = reasoning;
  if (effort === 'none' || budget === 0) return { thinkingBudget: 0 };
  const level = budget === undefined && effort !== undefined ? encodeLevel(effort, wire, lose) : undefined;
  // Other wires show reasoning unless the client opts out; this wire hides thoughts unless the client opts in.
  const shows = show ?? ((budget !== undefined || level !== undefined) && wire !== WIRE);
  const thinking = omitUndefined({
    includeThoughts: shows || undefined,
    thinkingBudget: budget,
    thinkingLevel: level,
  });
  return Object.keys(thinking).length === 0 ? undefined : thinking;
}

/** `generationConfig`: https://ai.google.dev/api/generate-content#generationconfig */
export const encodeConfig = (request: GenerateRequest, lose: Lose): JsonObject =>
  omitUndefined({
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    candidateCount: request.choices > 1 ? request.choices : undefined,
    maxOutputTokens: request.maxTokens,
    stopSequences: encodeStop(request, WIRE, lose),
    seed: encodeSeed(request, WIRE, lose),
    presencePenalty: request.presencePenalty,
    frequencyPenalty: request.frequencyPenalty,
    responseLogprobs: request.logprobs === undefined ? undefined : true,
    logprobs: request.logprobs === 0 ? undefined : request.logprobs,
    ...(request.output && encodeOutput(request.output, lose)),
    thinkingConfig: encodeReasoning(request, lose),
  });
