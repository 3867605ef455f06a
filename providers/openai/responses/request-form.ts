import { type GenerateRequest, readList } from '../../../core/index.ts';
import { ENCRYPTED_REASONING, WIRE } from './shape.ts';

/** What the canonical form does not tell apart, and the answer has to say in the client's own words. */
interface RequestForm {
  /** The first turn is an item of the input, not `instructions`. */
  readonly instructions?: false;
  /** The end user stands in `user`, not in `safety_identifier`. */
  readonly user?: true;
  /** `include` asks for the proofs of reasoning. The gateway itself answers that wish, whatever the target. */
  readonly proofs?: true;
}

/** A symbol rides along when the request is spread and is invisible to everyone else. */
const WORDS = Symbol('words of a responses client');
type Worded = GenerateRequest & { readonly [WORDS]?: RequestForm };

export function markForm(request: GenerateRequest, words: RequestForm): GenerateRequest {
  if (Object.keys(words).length === 0) return request;
  const marked: Worded = { ...request, [WORDS]: words };
  return marked;
}

export const readForm = (request: GenerateRequest): RequestForm => (request as Worded)[WORDS] ?? {};

/** Does the client take back what reasoning is proved with? Without that, proofs are not handed out. */
export const wantsProofs = (request: GenerateRequest): boolean =>
  readForm(request).proofs === true ||
  (request.extra.wire === WIRE && readList(request.extra.members['include']).includes(ENCRYPTED_REASONING));
