import type { Capabilities, JsonObject } from '../../../core/api/index.ts';
import { readList, readObject, schemaDialects, type TurnPlace, type WireTraits } from '../../../core/api/codec.ts';
import { joinTurnPlaces } from '../../../core/api/internal.ts';
import { placeContent } from '../content-places.ts';

/** Who an item belongs to: the assistant, the results of its calls, or neither (the index of the message). */
type Side = 'assistant' | 'results' | number;

const placeItem = (item: unknown, index: number): TurnPlace & { readonly side: Side } => {
  const turn = `input[${index}]`;
  const { type = 'message', role, content } = readObject(item);
  if (type === 'message') {
    return { turn, side: role === 'assistant' ? role : index, parts: placeContent(`${turn}.content`, content) };
  }
  return { turn, side: typeof type === 'string' && type.endsWith('_output') ? 'results' : 'assistant', parts: [turn] };
};

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** What an update changes is no part of the conversation, but its instructions are, and members that are not known. */
const settings: ReadonlySet<string> = new Set(['type', 'id', 'reasoning', 'text']);

const listPlaces = (item: unknown, index: number): readonly (TurnPlace & { readonly side: Side })[] => {
  const { type, instructions, ...others } = readObject(item);
  if (type !== 'configuration_update') return [placeItem(item, index)];
  const turn = `input[${index}]`;
  return [
    ...(isPresent(instructions) ? [{ turn, side: index, parts: [`${turn}.instructions`] }] : []),
    ...(Object.keys(others).some((name) => !settings.has(name)) ? [placeItem(item, index)] : []),
  ];
};

/** The places of the turns that `client/request/turns.ts` decodes: consecutive items of one side are one turn. */
const places = ({ instructions, input }: Readonly<JsonObject>): readonly TurnPlace[] => [
  ...(isPresent(instructions) ? [{ turn: 'instructions', parts: ['instructions'] }] : []),
  ...(typeof input === 'string'
    ? [{ turn: 'input', parts: ['input'] }]
    : joinTurnPlaces(readList(input).flatMap(listPlaces), (side) => typeof side === 'string')),
];

/**
 * What the wire cannot express: stop sequences, several choices, video, a number of thinking tokens.
 * https://platform.openai.com/docs/api-reference/responses/create
 */
export const limits: Capabilities = {
  thinking: 'adaptive',
  stop: false,
  choices: false,
  video: false,
  maxTemperature: 2,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
};

/** Properties of the wire: https://platform.openai.com/docs/api-reference/responses/create */
export const traits: WireTraits = {
  fieldNames: {
    conversation: 'input',
    output: 'text.format',
    maxTokens: 'max_output_tokens',
    effort: 'reasoning.effort',
    budget: 'reasoning',
    show: 'reasoning.summary',
    verbosity: 'text.verbosity',
    logprobs: 'include',
  },
  places,
  otherNames: {
    'reasoning.effort': ['input.reasoning.effort'],
    user: ['safety_identifier'],
    include: ['top_logprobs'],
    prompt_cache_breakpoint: ['input.content.prompt_cache_breakpoint', 'input.output.prompt_cache_breakpoint'],
    cache: ['prompt_cache_breakpoint'],
    name: ['filename'],
    input: ['arguments'],
    content: ['output'],
    parts: ['output'],
    citations: ['annotations'],
    signature: ['encrypted_content'],
    namespace_description: ['description'],
    'parts.functionResponse.parts': ['output.image_url', 'output.file_data', 'output.file_url', 'output.file_id'],
  },
  // `reasoning` has an effort and no number of tokens.
  effortOnly: true,
  // https://platform.openai.com/docs/guides/structured-outputs
  schemaNeedsStrict: true,
  schemas: schemaDialects.strictMode,
  // https://platform.openai.com/docs/guides/structured-outputs#json-mode
  jsonNeedsWord: true,
  // `max_tool_calls`
  capsSearches: true,
  optIn: true,
};
