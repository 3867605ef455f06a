import { isObject, type BodyEdit, type JsonObject } from '../../core/index.ts';

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * Every such server knows `max_tokens`; the newer name some take and ignore, and the answer then has no cap at all.
 * https://github.com/ollama/ollama/blob/main/docs/openai.md
 */
const editMaxTokens = ({ max_tokens: older, max_completion_tokens: newer }: Readonly<JsonObject>): readonly BodyEdit[] => {
  if (!isSet(newer)) return [];
  return [{ member: 'max_completion_tokens', value: undefined }, ...(isSet(older) ? [] : [{ member: 'max_tokens', value: newer }])];
};

const isDeveloper = (message: unknown): message is JsonObject => isObject(message) && message['role'] === 'developer';

/** The templates of open models have one role for instructions; of another they render nothing, or fail. */
const editRoles = ({ messages }: Readonly<JsonObject>): readonly BodyEdit[] =>
  Array.isArray(messages) && messages.some(isDeveloper)
    ? [{ member: 'messages', value: messages.map((message: unknown) => (isDeveloper(message) ? { ...message, role: 'system' } : message)) }]
    : [];

/** What servers of chat completions need where OpenAI has gone on, on both lanes. */
export const editChat = (body: Readonly<JsonObject>): readonly BodyEdit[] => [...editMaxTokens(body), ...editRoles(body)];

/** vLLM refuses an encoding that is null, where the wire means an absent one. */
export const editEmbeddings = ({ encoding_format: encoding }: Readonly<JsonObject>): readonly BodyEdit[] => (encoding === null ? [{ member: 'encoding_format', value: undefined }] : []);
