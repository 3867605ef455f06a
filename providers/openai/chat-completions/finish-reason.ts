import { GatewayError, lookUp, type Finish } from '../../../core/index.ts';

type Reason = Finish['reason'];

/** What vendors of this wire write, lower case. A word that is not here means `stop` and is kept in `vendor`. */
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
/** The vendor itself says that the answer failed: OpenRouter and Mistral, DeepSeek, vLLM. */
const failures: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource', 'abort']);

/**
 * The failure that a finish reason names. Another target may be tried; but OpenRouter writes `error` also for what its
 * model wrote, which any caller can provoke, so it is `unknown` and counts against no circuit.
 */
export const readFailedEnd = (word: string): GatewayError | undefined =>
  failures.has(word)
    ? new GatewayError('upstream_error', `The provider ended the answer with '${word}'.`, { failure: 'unknown' })
    : undefined;

/**
 * The reason behind a vendor's word and what the answer held: several servers write `stop` although the model called a
 * tool.
 * @param word empty when the vendor gave none
 */
export function readFinish(word: string, held: { readonly calls: boolean; readonly refusal: boolean }): Finish {
  const told = lookUp(reasons, word.toLowerCase()) ?? 'stop';
  const ambiguous = told === 'stop' || (told === 'content_filter' && held.refusal);
  const reason = !ambiguous ? told : held.calls ? 'tool_calls' : held.refusal ? 'refusal' : 'stop';
  return word === '' ? { reason } : { reason, vendor: word };
}

const words: Readonly<Record<Reason, string>> = {
  stop: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  refusal: 'content_filter',
  pause: 'stop',
  context_overflow: 'length',
};

/** A refusal keeps the `stop` that OpenAI ends it with; elsewhere it is a filtered answer. */
export function writeFinish(finish: Finish, legacy = false): string {
  if (finish.reason === 'refusal' && finish.vendor === 'stop') return 'stop';
  return legacy && finish.reason === 'tool_calls' ? 'function_call' : words[finish.reason];
}
