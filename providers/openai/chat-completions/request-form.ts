import type { GenerateRequest } from '../../../core/api/index.ts';

/** How the client wrote its request where the canonical form has one form for two. The same wire gets it again. */
interface RequestForm {
  /** The output cap is in `max_tokens`. */
  readonly olderCap: boolean;
  /**
   * The request has the object `reasoning`, which aggregators of this wire have in addition to `reasoning_effort`:
   * https://openrouter.ai/docs/use-cases/reasoning-tokens
   */
  readonly reasoningObject: boolean;
  /**
   * The client is older than `tools`: it sends `functions` and reads `function_call`. The canonical form has tools.
   */
  readonly functions: boolean;
}

/** A symbol is copied when the request is spread, and no other code sees it. */
const FORM = Symbol('form of a chat-completions request');
type FormedRequest = GenerateRequest & { readonly [FORM]?: RequestForm };

export function markForm(request: GenerateRequest, form: RequestForm): GenerateRequest {
  if (!form.olderCap && !form.reasoningObject && !form.functions) return request;
  const marked: FormedRequest = { ...request, [FORM]: form };
  return marked;
}

/** `undefined` for clients of other wires, and where all members have their newer names. */
export const readForm = (request: GenerateRequest): RequestForm | undefined => (request as FormedRequest)[FORM];

/** Whether this client reads `function_call` instead of `tool_calls`. */
export const isLegacy = (request: GenerateRequest): boolean => readForm(request)?.functions === true;
