import { GatewayError, type Finish } from '../../../core/api/index.ts';
import { lookUp, type Lose } from '../../../core/api/codec.ts';

type Reason = Finish['reason'];

/** What a response holds, which decides what an ordinary end means. */
export interface Held {
  readonly calls: boolean;
  readonly refusal: boolean;
}

/**
 * The reasons that vendors of this wire send, in lower case. Any other means `stop`, is kept in `vendor`, and is named
 * on other wires.
 */
const reasons: Readonly<Record<string, Reason>> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  tool_use: 'tool_calls',
  content_filter: 'content_filter',
  safety: 'content_filter',
  refusal: 'refusal',
};
/** Reasons of a failed response: OpenRouter and Mistral, DeepSeek, vLLM. */
const failures: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource', 'abort']);

/**
 * The failure that a finish reason reports. OpenRouter sends `error` also for content of its model, which any client
 * can provoke. The failure class is therefore `unknown`: another target is tried, and no circuit counts it.
 */
export const readFailedEnd = (reason: string): GatewayError | undefined =>
  failures.has(reason)
    ? new GatewayError('upstream_error', `The provider ended the response with '${reason}'.`, { failure: 'unknown' })
    : undefined;

/**
 * The finish by the vendor's reason and what the response held: several servers send `stop` although the model called a
 * tool.
 * @param vendor the vendor's reason, empty when it sent none
 */
export function readFinish(vendor: string, held: Held): Finish {
  const known = lookUp(reasons, vendor.toLowerCase()) ?? 'stop';
  const ambiguous = known === 'stop' || (known === 'content_filter' && held.refusal);
  const reason = !ambiguous ? known : held.calls ? 'tool_calls' : held.refusal ? 'refusal' : 'stop';
  return vendor === '' ? { reason } : { reason, vendor };
}

/** Names a reason that other wires do not have, so that it becomes an ordinary end. */
export function loseUnknownFinish(vendor: string, choice: number, lose: Lose): void {
  if (vendor === 'stop' || vendor === '') return;
  if (lookUp(reasons, vendor.toLowerCase()) === undefined)
    lose(`choices[${choice}].finish_reason`, 'approximated', `'${vendor}' is an ordinary end on other wires`);
}

const written: Readonly<Record<Reason, string>> = {
  stop: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  refusal: 'content_filter',
  pause: 'stop',
  context_overflow: 'length',
};

/** OpenAI ends a refusal with `stop`, which is kept. A refusal of another wire is a filtered response. */
export function writeFinish(finish: Finish, legacy = false): string {
  if (finish.reason === 'refusal' && finish.vendor === 'stop') return 'stop';
  return legacy && finish.reason === 'tool_calls' ? 'function_call' : written[finish.reason];
}
