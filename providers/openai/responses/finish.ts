import { lookUp, type Lose, readObject, readText } from '../../../core/api/codec.ts';
import type { Finish, JsonObject } from '../../../core/api/index.ts';
import type { Held } from '../chat-completions/finish.ts';

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
/** Any other status means `completed`. */
const statuses = ['incomplete', ...unfinished] as const;
type Status = 'completed' | (typeof statuses)[number];

const cut: Partial<Record<Reason, string>> = {
  length: 'max_output_tokens',
  context_overflow: 'max_output_tokens',
  content_filter: 'content_filter',
};

/**
 * The reason of an incomplete response; `undefined` for a complete one. A refusal without text is a filtered response.
 */
const causeOf = ({ reason, vendor = '' }: Finish, held: Pick<Held, 'refusal'>): string | undefined => {
  if (reason === 'stop' && ownReasons.has(vendor)) return vendor;
  return reason === 'refusal' && !held.refusal ? 'content_filter' : cut[reason];
};

/** `status` and `incomplete_details` of the response object. */
export function writeFinish(
  finish: Finish,
  held: Pick<Held, 'refusal'>,
): { readonly status: Status; readonly incomplete_details: { readonly reason: string } | null } {
  const status = finish.reason === 'pause' ? unfinished.find((known) => known === finish.vendor) : undefined;
  if (status !== undefined) return { status, incomplete_details: null };
  const reason = causeOf(finish, held);
  return reason === undefined
    ? { status: 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason } };
}

/** The response of a terminal event. If it has no status, the name of the event is used (`response.incomplete`). */
export function readFinalResponse(event: Readonly<JsonObject>, type: string): Readonly<JsonObject> {
  const response = readObject(event['response']);
  return readText(response['status']) === '' ? { ...response, status: type.slice(type.indexOf('.') + 1) } : response;
}

/**
 * How a response ended, by its status. What it held decides what `completed` means. A response that was cut off keeps
 * its reason, so that no client runs half a call.
 * @param lose absent on the native lane, which keeps the reason
 */
export function readResponseFinish(response: Readonly<JsonObject>, held: Held, lose?: Lose): Finish {
  const given = readText(response['status']);
  const status = statuses.find((known) => known === given);
  if (status === undefined)
    return { reason: held.calls ? 'tool_calls' : held.refusal ? 'refusal' : 'stop', vendor: 'completed' };
  if (status !== 'incomplete') return { reason: 'pause', vendor: status, unfinished: true };
  const reason = readText(readObject(response['incomplete_details'])['reason']);
  const known = lookUp(reasons, reason);
  if (known === undefined)
    lose?.('incomplete_details.reason', 'approximated', `'${reason}' is an ordinary end on other wires`);
  return { reason: known ?? 'stop', vendor: reason === '' ? status : reason };
}
