import { lookUp, type Lose, readObject, readText } from '../../../core/api/codec.ts';
import type { Finish, JsonObject } from '../../../core/api/index.ts';

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
interface End {
  readonly status: 'completed' | 'incomplete' | Unfinished;
  /** `incomplete_details.reason`, empty when the vendor sent none. */
  readonly reason: string;
}

/**
 * What the response held decides what `completed` means. A response that was cut off keeps its reason, so that no
 * client runs half a call.
 */
function readFinish({ status, reason }: End, held: { readonly calls: boolean; readonly refusal: boolean }): Finish {
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

const statuses: Readonly<Record<string, End['status']>> = {
  incomplete: 'incomplete',
  queued: 'queued',
  in_progress: 'in_progress',
};

/** The response of a terminal event. If it has no status, the name of the event is used (`response.incomplete`). */
export function readFinalResponse(event: Readonly<JsonObject>, type: string): Readonly<JsonObject> {
  const response = readObject(event['response']);
  return readText(response['status']) === '' ? { ...response, status: type.slice(type.indexOf('.') + 1) } : response;
}

/**
 * How a response ended, by its status. A status that is not known means `completed`.
 * @param lose absent on the native lane, which keeps the reason
 */
export function readResponseFinish(
  response: Readonly<JsonObject>,
  held: { readonly calls: boolean; readonly refusal: boolean },
  lose?: Lose,
): Finish {
  const status = lookUp(statuses, readText(response['status'])) ?? 'completed';
  const reason = readText(readObject(response['incomplete_details'])['reason']);
  if (status === 'incomplete' && lookUp(reasons, reason) === undefined)
    lose?.('incomplete_details.reason', 'approximated', `'${reason}' is an ordinary end on other wires`);
  return readFinish({ status, reason }, held);
}
