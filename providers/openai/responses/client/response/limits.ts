/** The limit headers are the same as on chat completions. */
export { encodeLimits } from '../../../chat-completions/client/response/limits.ts';
