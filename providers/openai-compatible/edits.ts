import { isObject, type BodyEdit, type JsonObject } from '../../core/index.ts';

const isDeveloper = (message: unknown): message is JsonObject => isObject(message) && message['role'] === 'developer';

/** Chat templates of open models have one role for instructions, and ignore or refuse `developer`. */
export const editRoles = ({ messages }: Readonly<JsonObject>): readonly BodyEdit[] =>
  Array.isArray(messages) && messages.some(isDeveloper)
    ? [
        {
          member: 'messages',
          value: messages.map((message: unknown) => (isDeveloper(message) ? { ...message, role: 'system' } : message)),
        },
      ]
    : [];

/** vLLM refuses `null`, which on this wire means that the member is absent. */
export const editEmbeddings = ({ encoding_format: encoding }: Readonly<JsonObject>): readonly BodyEdit[] =>
  encoding === null ? [{ member: 'encoding_format', value: undefined }] : [];
