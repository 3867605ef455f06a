import type { Finish } from '../../../core/api/index.ts';
import { lookUp } from '../../../core/api/codec.ts';

type Reason = Finish['reason'];

/**
 * `incomplete_details.reason`: https://platform.openai.com/docs/api-reference/responses/object. Any other value means
 * `stop`.
 */
const reasons: Readonly<Record<string, Reason>> = {
  max_output_tokens: 'length',
  max_tokens: 'length',
  length: 'length',
  content_filter: 'content_filter',
};
/** Reasons that no other wire has. */
const ownReasons: ReadonlySet<string> = new Set(['max_messages', 'steered']);

/** Statuses of a background response that is not finished: the client fetches it again later. */
const unfinished = ['queued', 'in_progress'] as const;
type Unfinished = (typeof unfinished)[number];

/** The end of a response as this wire reports it. */
export interface End {
  readonly status: 'completed' | 'incomplete' | Unfinished;
  /** `incomplete_details.reason`, empty when the vendor sent none. */
  readonly reason: string;
}

/**
 * What the response held decides what `completed` means. A response that was cut off keeps its reason, so that no
 * client runs half a call.
 */
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

/**
 * The reason of an incomplete response; `undefined` for a complete one. A refusal without text is a filtered response.
 */
const causeOf = ({ reason, vendor = '' }: Finish, held: { readonly refusal: boolean }): string | undefined => {
  if (reason === 'stop' && ownReasons.has(vendor)) return vendor;
  return reason === 'refusal' && !held.refusal ? 'content_filter' : cut[reason];
};

/** `status` and `incomplete_details` of the response object. */
export function writeFinish(
  finish: Finish,
  held: { readonly refusal: boolean },
): { readonly status: End['status']; readonly incomplete_details: { readonly reason: string } | null } {
  const status = finish.reason === 'pause' ? unfinished.find((known) => known === finish.vendor) : undefined;
  if (status !== undefined) return { status, incomplete_details: null };
  const reason = causeOf(finish, held);
  return reason === undefined
    ? { status: 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason } };
}
