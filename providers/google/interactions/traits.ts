import type { Capabilities, JsonObject } from '../../../core/api/index.ts';
import {
  isObject,
  readList,
  readText,
  schemaDialects,
  type TurnPlace,
  type WireTraits,
} from '../../../core/api/codec.ts';
import { joinTurnPlaces, type SidedPlace } from '../../../core/api/internal.ts';
import { isContentType, isNestedStep } from './shape.ts';

/** Who an item belongs to: the model, results of its calls, loose content of the user, or neither (its index). */
type Side = 'model' | 'results' | 'content' | number;

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const placeContent = (path: string, content: unknown): readonly string[] =>
  Array.isArray(content) ? content.map((_part, index) => `${path}.content[${index}]`) : [path];

const sideOf = (type: string, role: unknown, index: number): Side => {
  if (isContentType(type)) return 'content';
  if (type === 'function_result') return 'results';
  return type === 'user_input' || (type === '' && role !== 'model') ? index : 'model';
};

const placeItem = (item: unknown, index: number): readonly SidedPlace<Side>[] => {
  const turn = `input[${index}]`;
  const { type, role, content } = isObject(item) ? item : {};
  const holdsContent = type === undefined || type === 'user_input' || type === 'model_output';
  const side = sideOf(readText(type), role, index);
  const parts = holdsContent ? placeContent(turn, content) : [turn];
  const types = side === index ? readList(content).map((each) => (isObject(each) ? readText(each['type']) : '')) : [];
  if (!types.some(isNestedStep)) return [{ turn, side, parts }];
  return types.map((each, at) => {
    const place = `${turn}.content[${at}]`;
    return { turn: place, side: isNestedStep(each) ? 'results' : 'content', parts: [place] };
  });
};

/** The places of the turns that `client/request/request.ts` reads: neighbouring steps of one side are one turn. */
const places = ({ system_instruction: system, input }: Readonly<JsonObject>): readonly TurnPlace[] => [
  ...(isPresent(system) ? [{ turn: 'system_instruction', parts: ['system_instruction'] }] : []),
  ...(Array.isArray(input)
    ? joinTurnPlaces(readList(input).flatMap(placeItem), (side) => typeof side === 'string')
    : [{ turn: 'input', parts: ['input'] }]),
];

/**
 * What the wire cannot express: system text between turns, custom tools, several choices, a number of thinking tokens,
 * and an end of thinking. https://ai.google.dev/api/interactions-api
 */
export const limits: Capabilities = {
  thinking: 'adaptive',
  thinkingOff: false,
  efforts: ['minimal', 'low', 'medium', 'high'],
  choices: false,
  midSystem: false,
  customTools: false,
  maxTemperature: 2,
  toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
};

/** https://ai.google.dev/api/interactions-api */
export const traits: WireTraits = {
  fieldNames: {
    conversation: 'input',
    parts: 'content',
    toolChoice: 'generation_config.tool_choice',
    output: 'response_format',
    maxTokens: 'generation_config.max_output_tokens',
    temperature: 'generation_config.temperature',
    topP: 'generation_config.top_p',
    seed: 'generation_config.seed',
    stop: 'generation_config.stop_sequences',
    effort: 'generation_config.thinking_level',
    budget: 'generation_config.thinking_level',
    show: 'generation_config.thinking_summaries',
    reasoning: 'generation_config.thinking_level',
    serviceTier: 'service_tier',
    store: 'store',
  },
  places,
  otherNames: {
    response_format: ['response_mime_type'],
    failed: ['is_error'],
    input: ['arguments'],
    content: ['result'],
    parts: ['result'],
    citations: ['annotations'],
    reasoning: ['summary'],
    detail: ['resolution'],
  },
  // `thinking_level` has no number of tokens.
  effortOnly: true,
  schemas: schemaDialects.generateContent,
};
