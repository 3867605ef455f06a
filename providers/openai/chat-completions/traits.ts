import type { Capabilities, JsonObject } from '../../../core/api/index.ts';
import {
  readList,
  readObject,
  readText,
  schemaDialects,
  type TurnPlace,
  unsealProof,
  type WireTraits,
} from '../../../core/api/codec.ts';
import { placeContent } from '../content-places.ts';
import { foldDetails, readDetails } from './reasoning-details.ts';

const placeReasoning = (turn: string, message: Readonly<JsonObject>): readonly string[] => {
  const details = foldDetails(readDetails(message['reasoning_details']), unsealProof);
  if (details.length > 0) return details.map(() => `${turn}.reasoning_details`);
  const name = (['reasoning_content', 'reasoning'] as const).find((member) => readText(message[member]) !== '');
  return name === undefined ? [] : [`${turn}.${name}`];
};

/** The parts of an assistant message, which come from several members, in the order of `decodeAssistantParts`. */
const placeAssistant = (turn: string, message: Readonly<JsonObject>): readonly string[] => {
  const { content, refusal, tool_calls: calls, function_call: call } = message;
  return [
    ...placeReasoning(turn, message),
    ...(content === undefined || content === null || content === '' ? [] : placeContent(`${turn}.content`, content)),
    ...(readText(refusal) === '' ? [] : [`${turn}.refusal`]),
    ...readList(calls).map((_call, index) => `${turn}.tool_calls[${index}]`),
    ...(call === undefined || call === null ? [] : [`${turn}.function_call`]),
  ];
};

/** The places of the turns that `client/request/turns.ts` decodes. */
const places = (body: Readonly<JsonObject>): readonly TurnPlace[] =>
  readList(body['messages']).map((value, index) => {
    const turn = `messages[${index}]`;
    const message = readObject(value);
    const { role, content } = message;
    if (role === 'assistant') return { turn, parts: placeAssistant(turn, message) };
    return { turn, parts: role === 'tool' || role === 'function' ? [turn] : placeContent(`${turn}.content`, content) };
  });

/**
 * What the wire cannot express: video, a number of thinking tokens, and some tool names.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export const limits: Capabilities = {
  thinking: 'adaptive',
  video: false,
  maxTemperature: 2,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
};

/**
 * Properties of the wire: https://platform.openai.com/docs/api-reference/chat/create. The default field names of the
 * core are those of this wire.
 */
export const traits: WireTraits = {
  places,
  otherNames: {
    max_tokens: ['max_completion_tokens'],
    reasoning_effort: ['reasoning.effort', 'reasoning.enabled'],
    user: ['safety_identifier'],
    tools: ['functions'],
    tool_choice: ['function_call'],
    prompt_cache_breakpoint: [
      'messages.content.prompt_cache_breakpoint',
      'messages.content.cache_control',
      'messages.cache_control',
      'tools.cache_control',
    ],
    cache: ['prompt_cache_breakpoint', 'cache_control'],
    'function.cache': ['cache_control'],
    name: ['file.filename'],
    detail: ['image_url.detail'],
    input: ['function.arguments', 'custom.input', 'arguments'],
    signature: ['extra_content.google.thought_signature', 'signature'],
    citations: ['annotations'],
  },
  // Reasoning has only `reasoning_effort`.
  effortOnly: true,
  // https://platform.openai.com/docs/guides/structured-outputs
  schemaNeedsStrict: true,
  schemas: schemaDialects.strictMode,
  // https://platform.openai.com/docs/guides/structured-outputs#json-mode
  jsonNeedsWord: true,
};
