/** The vendor counts requests and tokens over all of its wires, and names them alike. */
export { encodeLimits } from '../../../chat-completions/client/response/limits.ts';
