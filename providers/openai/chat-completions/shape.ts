/** The wire of `POST /v1/chat/completions`: https://platform.openai.com/docs/api-reference/chat */
export const WIRE = 'chat-completions';
/** The data line that ends a stream. */
export const DONE = '[DONE]';
/** The path of a message in its choice. Its extra members are kept beside those of the choice. */
export const MESSAGE = 'message.';

export { omitKnown } from '../omit-known.ts';
