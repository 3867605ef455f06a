import type { Finish, JsonObject } from '../../../core/api/index.ts';
import { lookUp, type Lose, readText } from '../../../core/api/codec.ts';

type Reason = Finish['reason'];

/** Statuses of an interaction that the vendor still works on. */
const unfinished: ReadonlySet<string> = new Set(['queued', 'in_progress']);
/** Statuses of an interaction that has failed. */
const failed: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/** `status`: https://ai.google.dev/api/interactions-api. What follows from `completed` depends on the steps. */
const reasons: Readonly<Record<string, Reason>> = {
  requires_action: 'tool_calls',
  incomplete: 'length',
  budget_exceeded: 'length',
  requires_continuation: 'pause',
};

const isKnown = (status: string): boolean =>
  status === '' || status === 'completed' || lookUp(reasons, status) !== undefined;

export const isFailed = ({ status }: Readonly<JsonObject>): boolean => failed.has(readText(status));

/**
 * How an interaction ended by its status.
 * @param held whether it holds calls of the client's functions
 * @param lose reports a status that is not known, and is read as completed
 */
export function readFinish(status: string, held: { readonly calls: boolean }, lose?: Lose): Finish {
  if (unfinished.has(status)) return { reason: 'pause', vendor: status, unfinished: true };
  if (!isKnown(status)) lose?.('status', 'approximated', `'${status}' is an ordinary end on other wires`);
  const reason = lookUp(reasons, status) ?? (held.calls ? 'tool_calls' : 'stop');
  return { reason, ...(status === '' ? {} : { vendor: status }) };
}

const statuses: Readonly<Record<Reason, string>> = {
  stop: 'completed',
  stop_sequence: 'completed',
  length: 'incomplete',
  tool_calls: 'requires_action',
  content_filter: 'incomplete',
  refusal: 'incomplete',
  pause: 'completed',
  context_overflow: 'incomplete',
};

/** Statuses of streams and plain responses alike, by the canonical reason that they are read as. */
const isOwn = (status: string, reason: Reason): boolean =>
  unfinished.has(status) ? reason === 'pause' : lookUp(reasons, status) === reason;

/** `status`. The vendor's own is restored if it means the same. */
export const writeStatus = ({ reason, vendor }: Finish): string =>
  vendor !== undefined && isOwn(vendor, reason) ? vendor : statuses[reason];
