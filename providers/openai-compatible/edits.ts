import { isObject, type BodyEdit, type JsonObject } from '../../core/index.ts';

const isDeveloper = (message: unknown): message is JsonObject => isObject(message) && message['role'] === 'developer';

/** The templates of open models have one role for instructions; of another they render nothing, or fail. On both lanes. */
export const editRoles = ({ messages }: Readonly<JsonObject>): readonly BodyEdit[] =>
  Array.isArray(messages) && messages.some(isDeveloper)
    ? [
        {
          member: 'messages',
          value: messages.map((message: unknown) => (isDeveloper(message) ? { ...message, role: 'system' } : message)),
        },
      ]
    : [];

/** vLLM refuses an encoding that is null, where the wire means an absent one. */
export const editEmbeddings = ({ encoding_format: encoding }: Readonly<JsonObject>): readonly BodyEdit[] =>
  encoding === null ? [{ member: 'encoding_format', value: undefined }] : [];
