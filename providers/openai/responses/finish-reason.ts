import { lookUp, type Finish } from '../../../core/index.ts';

type Reason = Finish['reason'];

/** `incomplete_details.reason` of https://platform.openai.com/docs/api-reference/responses/object. A word that is not here means `stop`. */
const reasons: Readonly<Record<string, Reason>> = {
  max_output_tokens: 'length',
  max_tokens: 'length',
  length: 'length',
  content_filter: 'content_filter',
};
/** Cut short by the vendor for reasons that no other wire knows. */
const ownWords: ReadonlySet<string> = new Set(['max_messages', 'steered']);

/** Answers in the making: a client that asked for them in the background comes again for the rest. */
const unfinished = ['queued', 'in_progress'] as const;
type Unfinished = (typeof unfinished)[number];

/** The end of an answer as this wire states it. */
export interface End {
  readonly status: 'completed' | 'incomplete' | Unfinished;
  /** `incomplete_details.reason`, empty when the vendor gave none. */
  readonly reason: string;
}

/** What the answer held decides what `completed` means; an answer that was cut off keeps its reason, so that nobody runs half a call. */
export function readFinish(
  { status, reason }: End,
  held: { readonly calls: boolean; readonly refusal: boolean },
): Finish {
  if (status === 'incomplete')
    return { reason: lookUp(reasons, reason) ?? 'stop', vendor: reason === '' ? status : reason };
  if (status !== 'completed') return { reason: 'pause', vendor: status, unfinished: true };
  return { reason: held.calls ? 'tool_calls' : held.refusal ? 'refusal' : 'stop', vendor: status };
}

const cut: Partial<Record<Reason, string>> = {
  length: 'max_output_tokens',
  context_overflow: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** The cause of an answer that is not complete, `undefined` for one that is. A refusal without words is a filtered answer here. */
const causeOf = ({ reason, vendor = '' }: Finish, held: { readonly refusal: boolean }): string | undefined => {
  if (reason === 'stop' && ownWords.has(vendor)) return vendor;
  return reason === 'refusal' && !held.refusal ? 'content_filter' : cut[reason];
};

/** `status` and `incomplete_details` of the response object. */
export function writeFinish(
  finish: Finish,
  held: { readonly refusal: boolean },
): { readonly status: End['status']; readonly incomplete_details: { readonly reason: string } | null } {
  const status = finish.reason === 'pause' ? unfinished.find((word) => word === finish.vendor) : undefined;
  if (status !== undefined) return { status, incomplete_details: null };
  const reason = causeOf(finish, held);
  return reason === undefined
    ? { status: 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason } };
}
