import type { GenerateRequest } from '../../../core/api/index.ts';
import { readList } from '../../../core/api/codec.ts';
import { ENCRYPTED_REASONING, WIRE } from './shape.ts';

/** How the client wrote its request where the canonical form has one form for two. The response repeats it. */
export interface RequestForm {
  /** The first turn is an item of `input`, not `instructions`. */
  readonly systemItem?: true;
  /** The end user is in `user`, not in `safety_identifier`. */
  readonly olderUser?: true;
  /** `include` asks for the proofs of reasoning. The gateway provides them, whatever the target. */
  readonly proofs?: true;
}

/** A symbol is copied when the request is spread, and no other code sees it. */
const FORM = Symbol('form of a responses request');
type FormedRequest = GenerateRequest & { readonly [FORM]?: RequestForm };

export function markForm(request: GenerateRequest, form: RequestForm): GenerateRequest {
  if (Object.keys(form).length === 0) return request;
  const marked: FormedRequest = { ...request, [FORM]: form };
  return marked;
}

export const readForm = (request: GenerateRequest): RequestForm => (request as FormedRequest)[FORM] ?? {};

/** Whether the client sends proofs of reasoning back. If not, the response has none. */
export const wantsProofs = (request: GenerateRequest): boolean =>
  readForm(request).proofs === true ||
  (request.extra.wire === WIRE && readList(request.extra.members['include']).includes(ENCRYPTED_REASONING));
