import type { GenerateRequest } from '../../../core/api/index.ts';

/** How the client wrote its request where the canonical form has one form for two. The same wire gets it again. */
export interface RequestForm {
  /** The output cap is in `max_tokens`. */
  readonly olderCap: boolean;
  /**
   * The request has the object `reasoning`, which aggregators of this wire have in addition to `reasoning_effort`:
   * https://openrouter.ai/docs/use-cases/reasoning-tokens
   */
  readonly reasoningObject: boolean;
}

/** A symbol is copied when the request is spread, and no other code sees it. */
const FORM = Symbol('form of a chat-completions request');
type FormedRequest = GenerateRequest & { readonly [FORM]?: RequestForm };

export function markForm(request: GenerateRequest, form: RequestForm): GenerateRequest {
  const marked: FormedRequest = { ...request, [FORM]: form };
  return marked;
}

/** `undefined` for clients of other wires, and where all members have their newer names. */
export const readForm = (request: GenerateRequest): RequestForm | undefined => (request as FormedRequest)[FORM];
