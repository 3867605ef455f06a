import { isDeepStrictEqual } from 'node:util';
import { GatewayError, type EndpointWire, type JsonObject } from '../../core/api/index.ts';
import { isObject, readList, readObject, readText, type BodyEdit, type Lose } from '../../core/api/codec.ts';
import { continueLast, editMessage, loseOnce } from './messages.ts';

type Edits = NonNullable<EndpointWire['edits']>;

/** Members of chat completions that the vendor does not have. It refuses a request with any of them. */
const unknown = [
  'audio',
  'functions',
  'function_call',
  'logit_bias',
  'logprobs',
  'modalities',
  'moderation',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'top_k',
  'top_logprobs',
  'user',
  'verbosity',
  'web_search_options',
] as const;

const remove = (body: Readonly<JsonObject>, members: readonly string[], lose: Lose): readonly BodyEdit[] =>
  members.flatMap((member) => {
    if (body[member] === undefined) return [];
    // `store: false` asks for what the vendor does anyway, and usage comes with every stream.
    if (member !== 'stream_options' && !(member === 'store' && body[member] === false))
      lose(member, 'dropped', 'the vendor has no such member');
    return [{ member, value: undefined }];
  });

const rename = (body: Readonly<JsonObject>, from: string, to: string): readonly BodyEdit[] =>
  body[from] === undefined
    ? []
    : [{ member: from, value: undefined }, ...(body[to] === undefined ? [{ member: to, value: body[from] }] : [])];

/** A function without members that the vendor does not know, and with `parameters`, which it requires. */
const editTool = (tool: unknown): unknown => {
  if (!isObject(tool) || tool['type'] !== 'function') return tool;
  const definition = tool['function'];
  const needsParameters = isObject(definition) && (definition['parameters'] ?? undefined) === undefined;
  return {
    type: tool['type'],
    function: needsParameters ? { ...definition, parameters: { type: 'object', properties: {} } } : definition,
  };
};

/** `any` is the vendor's word for `required`. It cannot choose among several tools, so only these are offered. */
function editChoice({ tools, tool_choice: choice }: Readonly<JsonObject>): readonly BodyEdit[] {
  const offered = readList(tools).map(editTool);
  const edited: readonly BodyEdit[] = isDeepStrictEqual(offered, readList(tools))
    ? []
    : [{ member: 'tools', value: offered }];
  if (choice === 'required') return [...edited, { member: 'tool_choice', value: 'any' }];
  if (!isObject(choice) || choice['type'] !== 'allowed_tools') return edited;
  const allowed = readObject(choice['allowed_tools']);
  const nameOf = (tool: unknown): string => readText(readObject(readObject(tool)['function'])['name']);
  const names = new Set(readList(allowed['tools']).map(nameOf));
  return [
    { member: 'tools', value: offered.filter((tool) => names.has(nameOf(tool))) },
    { member: 'tool_choice', value: allowed['mode'] === 'required' ? 'any' : 'auto' },
  ];
}

function editMessages({ messages }: Readonly<JsonObject>, thinks: boolean, lose: Lose): readonly BodyEdit[] {
  if (!Array.isArray(messages)) return [];
  const edited = continueLast(messages.map((message: unknown) => editMessage(message, thinks, lose)));
  return isDeepStrictEqual(edited, messages) ? [] : [{ member: 'messages', value: edited }];
}

/**
 * The dialect of chat completions, on both lanes: https://docs.mistral.ai/api/endpoint/chat
 * @param thinks whether the model takes its reasoning back
 */
export const createChatEdits =
  (thinks: boolean, safePrompt: boolean): Edits =>
  (body, { lose }) => [
    ...editMessages(body, thinks, loseOnce(lose)),
    ...editChoice(body),
    ...rename(body, 'seed', 'random_seed'),
    ...rename(body, 'max_completion_tokens', 'max_tokens'),
    ...remove(body, ['stream_options', ...unknown], lose),
    ...(safePrompt && body['safe_prompt'] === undefined ? [{ member: 'safe_prompt', value: true }] : []),
  ];

/**
 * Fields that OpenAI has and the vendor has not: https://docs.mistral.ai/api/endpoint/audio/transcriptions
 * @throws GatewayError `unsupported_parameter` for a form of text
 */
const editTranscriptions: Edits = (body, { lose }) => {
  const format = body['response_format'];
  if (format !== undefined && format !== 'json' && format !== 'verbose_json')
    throw new GatewayError(
      'unsupported_parameter',
      "Models of Mistral transcribe to JSON: leave 'response_format' out, or choose another model.",
      { param: 'response_format' },
    );
  return [
    // `json` is what the vendor answers anyway.
    ...(format === 'json'
      ? [{ member: 'response_format', value: undefined }]
      : remove(body, ['response_format'], lose)),
    ...remove(body, ['prompt', 'include[]', 'chunking_strategy'], lose),
  ];
};

/** How transcriptions differ. Streams of the vendor have events of their own, so they are not asked for. */
export const transcriptionTraits = { edits: editTranscriptions, streams: false } as const;

/** https://docs.mistral.ai/api/endpoint/embeddings */
export const editEmbeddings: Edits = (body, { lose }) => [
  ...rename(body, 'dimensions', 'output_dimension'),
  ...remove(body, ['user'], lose),
];

/**
 * The vendor classifies texts only, each on its own: https://docs.mistral.ai/api/endpoint/classifiers
 * @throws GatewayError `unsupported_parameter` for an image, or for several parts
 */
export const editModerations: Edits = ({ input }) => {
  if (!Array.isArray(input) || !input.some(isObject)) return [];
  const [part, ...others] = readList(input).map(readObject);
  if (part?.['type'] === 'text' && others.length === 0) return [{ member: 'input', value: part['text'] }];
  throw new GatewayError(
    'unsupported_parameter',
    "Models of Mistral classify texts, each on its own: 'input' cannot have images or several parts. " +
      'Send a text or a list of texts, or choose another model.',
    { param: 'input' },
  );
};
