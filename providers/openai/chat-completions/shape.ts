/** The wire of `POST /v1/chat/completions`: https://platform.openai.com/docs/api-reference/chat */
export const WIRE = 'chat-completions';
/** The data line that ends a stream. */
export const DONE = '[DONE]';

export { omitKnown } from '../omit-known.ts';
