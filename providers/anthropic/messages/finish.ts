import type { Finish, JsonObject } from '../../../core/api/index.ts';
import { isObject, lookUp, type Lose } from '../../../core/api/codec.ts';

/** https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
const reasonOf: Readonly<Record<string, Finish['reason']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  pause_turn: 'pause',
  compaction: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_overflow',
};

const stopReasonOf: Readonly<Record<Finish['reason'], string>> = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  refusal: 'refusal',
  pause: 'pause_turn',
  context_overflow: 'model_context_window_exceeded',
};

/**
 * Reads a message, or the `delta` of `message_delta`: both have the same members. An unknown reason is read as `stop`.
 * On other wires a pause is an ordinary end as well, so both are reported there.
 * @param lose absent on the native lane, which keeps the reason
 */
export function readFinish(members: JsonObject, lose?: Lose): Finish {
  const { stop_reason: stopReason, stop_sequence: sequence, stop_details: details } = members;
  if (typeof stopReason !== 'string') return { reason: 'stop' };
  const explanation = isObject(details) ? details['explanation'] : undefined;
  const known = lookUp(reasonOf, stopReason);
  if (known === undefined || known === 'pause')
    lose?.('stop_reason', 'approximated', `'${stopReason}' is an ordinary end on other wires`);
  return {
    reason: known ?? 'stop',
    ...(typeof sequence === 'string' ? { sequence } : {}),
    ...(typeof explanation === 'string' ? { explanation } : {}),
    vendor: stopReason,
  };
}

/**
 * A `stop_sequence` finish without its sequence becomes `end_turn`: users of the SDK compare the sequence with their
 * own.
 */
const chooseStopReason = ({ reason, sequence, vendor }: Finish): string => {
  if (reason === 'stop_sequence' && sequence === undefined) return 'end_turn';
  return vendor !== undefined && lookUp(reasonOf, vendor) === reason ? vendor : stopReasonOf[reason];
};

export function writeFinish(finish: Finish): JsonObject {
  const stopReason = chooseStopReason(finish);
  return {
    stop_reason: stopReason,
    stop_sequence: stopReason === 'stop_sequence' ? (finish.sequence ?? null) : null,
    stop_details:
      stopReason === 'refusal' ? { type: 'refusal', category: null, explanation: finish.explanation ?? null } : null,
  };
}
