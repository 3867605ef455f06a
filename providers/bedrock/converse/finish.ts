import { GatewayError, type Finish, type JsonObject } from '../../../core/api/index.ts';
import { lookUp, readObject, type Lose } from '../../../core/api/codec.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseResponse.html */
const reasonOf: Readonly<Record<string, Finish['reason']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
  model_context_window_exceeded: 'context_overflow',
  refusal: 'refusal',
};

/** The model wrote something that the vendor could not read. Another attempt can succeed. */
const malformed: ReadonlySet<string> = new Set(['malformed_model_output', 'malformed_tool_use']);

/** The stop sequence that matched, as Claude reports it: at another path in a stream. */
const readSequence = (fields: unknown): string | undefined => {
  const { stop_sequence: plain, delta } = readObject(fields);
  const sequence = plain ?? readObject(delta)['stop_sequence'];
  return typeof sequence === 'string' ? sequence : undefined;
};

/** The explanation of a guardrail, which `trace` has. */
const readExplanation = (trace: unknown): string | undefined => {
  const reason = readObject(readObject(trace)['guardrail'])['actionReason'];
  return typeof reason === 'string' ? reason : undefined;
};

/**
 * Reads a response, or a `messageStop` with the trace of its `metadata`.
 * @throws GatewayError if the model wrote what the vendor could not read
 */
export function readFinish(members: Readonly<JsonObject>, lose: Lose): Finish {
  const { stopReason, additionalModelResponseFields: fields, trace } = members;
  if (typeof stopReason !== 'string') return { reason: 'stop' };
  if (malformed.has(stopReason))
    throw new GatewayError('upstream_bad_response', `The model ended its response with '${stopReason}'.`);
  const reason = lookUp(reasonOf, stopReason);
  if (reason === undefined) lose('stopReason', 'approximated', `'${stopReason}' is an ordinary end on other wires`);
  const sequence = readSequence(fields);
  const explanation = reason === 'content_filter' ? readExplanation(trace) : undefined;
  return {
    reason: reason ?? 'stop',
    ...(sequence === undefined ? {} : { sequence }),
    ...(explanation === undefined ? {} : { explanation }),
    vendor: stopReason,
  };
}
