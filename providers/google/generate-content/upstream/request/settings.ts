import {
  type GenerateRequest,
  type JsonObject,
  lookUp,
  type Lose,
  omitUndefined,
  type OutputFormat,
} from '../../../../../core/index.ts';
import { writeSchema } from '../../schema-dialect.ts';
import { WIRE } from '../../shape.ts';

const encodeOutput = (output: OutputFormat | undefined, lose: Lose): JsonObject => {
  if (output === undefined) return {};
  if (output.type === 'json') return { responseMimeType: 'application/json' };
  // A name says nothing to the model.
  const { schema, description, strict, name: _name } = output;
  if (description !== undefined)
    lose('response_format.description', 'dropped', 'generate-content describes a format in its schema only');
  if (strict === false) lose('response_format.strict', 'approximated', 'generate-content always keeps to the schema');
  return { responseMimeType: 'application/json', responseJsonSchema: writeSchema(schema) };
};

/** https://ai.google.dev/api/generate-content#ThinkingLevel; the strongest has no rank above it. */
const levelOf: Readonly<Record<string, string>> = {
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

const encodeLevel = (effort: string, lose: Lose): string => {
  const level = lookUp(levelOf, effort) ?? effort.toUpperCase();
  if (level !== effort.toUpperCase())
    lose('reasoning_effort', 'approximated', `generate-content has no effort '${effort}'`);
  return level;
};

/** Clients of other wires are shown reasoning unless they said otherwise; this wire hides it until it is asked for. */
const wantsThoughts = (thinks: boolean, show: boolean | undefined, wire: string): boolean =>
  show ?? (thinks && wire !== WIRE);

/** Never both a level and a budget: https://ai.google.dev/gemini-api/docs/thinking */
const encodeThinking = ({ reasoning, wire }: GenerateRequest, lose: Lose): JsonObject | undefined => {
  if (reasoning === undefined) return undefined;
  const { effort, budget, show } = reasoning;
  if (effort === 'none' || budget === 0) return { thinkingBudget: 0 };
  const level = budget === undefined && effort !== undefined ? encodeLevel(effort, lose) : undefined;
  const thinks = budget !== undefined || level !== undefined;
  const thinking = omitUndefined({
    includeThoughts: wantsThoughts(thinks, show, wire) || undefined,
    thinkingBudget: budget,
    thinkingLevel: level,
  });
  return Object.keys(thinking).length === 0 ? undefined : thinking;
};

/** The vendor takes no more. */
const MOST_STOPS = 5;
const encodeStop = (stop: GenerateRequest['stop'], wire: string, lose: Lose): readonly string[] | undefined => {
  if (wire === WIRE || stop === undefined || stop.length <= MOST_STOPS) return stop;
  lose('stop', 'approximated', `generate-content takes the first ${MOST_STOPS}`);
  return stop.slice(0, MOST_STOPS);
};

const MOST_SEED = 2 ** 31;
/** The vendor's is a number of 32 bits. */
const encodeSeed = (seed: number | undefined, wire: string, lose: Lose): number | undefined => {
  if (wire === WIRE || seed === undefined || (seed >= -MOST_SEED && seed < MOST_SEED)) return seed;
  lose('seed', 'dropped', 'generate-content takes a seed of 32 bits');
  return undefined;
};

/** `generationConfig`, as far as the canonical form has words for it: https://ai.google.dev/api/generate-content#generationconfig */
export const encodeSettings = (request: GenerateRequest, lose: Lose): JsonObject =>
  omitUndefined({
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    candidateCount: request.choices > 1 ? request.choices : undefined,
    maxOutputTokens: request.maxTokens,
    stopSequences: encodeStop(request.stop, request.wire, lose),
    seed: encodeSeed(request.seed, request.wire, lose),
    presencePenalty: request.presencePenalty,
    frequencyPenalty: request.frequencyPenalty,
    ...encodeOutput(request.output, lose),
    thinkingConfig: encodeThinking(request, lose),
  });
