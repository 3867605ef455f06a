import type { Usage } from '../canonical/usage.ts';
import { priceUsage } from '../catalog/price-usage.ts';
import type { AttemptRecord, Ending, Exchange, Outcome } from '../contracts/exchange.ts';
import type { GatewayError } from '../errors.ts';

/** Output is estimated from the characters that passed. */
const CHARS_PER_TOKEN = 4;

const estimateUsage = (inputUncached: number, output: number): Usage => ({ inputUncached, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output, reasoning: 0, source: 'estimated' });

/**
 * Of an answer that began: as the provider reported it, else the estimated input and the output that was seen. Some wires report their input first:
 * where a stream was cut before its finish, what was seen counts beside it, so that nobody has it for nothing by leaving early.
 */
const usageOfAnswer = ({ estimate, request }: Exchange, { usage, outputChars, reason, finish }: Ending): Usage => {
  const seen = Math.ceil(outputChars / CHARS_PER_TOKEN);
  if (usage === undefined) return estimateUsage(estimate.inputTokens, seen);
  // Of several answers the first to finish says nothing of the others.
  const finished = finish !== undefined && !('choices' in request && request.choices > 1);
  const whole = reason === 'complete' || finished;
  return whole ? usage : { ...usage, output: Math.max(usage.output, seen), source: 'estimated' };
};

/** Of an attempt that showed nothing: its input, once the upstream began a 2xx answer or the client left while it was in flight. Other failures are free. */
const usageOfFailure = ({ estimate }: Exchange, { status, failure }: AttemptRecord, error: GatewayError | undefined): Usage | undefined => {
  const began = status >= 200 && status < 300;
  const left = status === 0 && failure === 'unknown' && error?.code === 'client_closed';
  return began || left ? estimateUsage(estimate.inputTokens, 0) : undefined;
};

interface SpendingFacts {
  /** undefined where the request was refused before it was understood. */
  readonly exchange: Exchange | undefined;
  readonly attempts: readonly AttemptRecord[];
  readonly ending: Ending | undefined;
  readonly error: GatewayError | undefined;
}

/**
 * What an exchange used and what that costs, at the price of the target that answered: the last one that began to, where several were tried.
 * A prompt that is only counted is never estimated.
 */
export const measureSpending = ({ exchange, attempts, ending, error }: SpendingFacts): Pick<Outcome, 'usage' | 'cost'> => {
  const attempt = attempts.findLast(({ committed }) => committed) ?? attempts.at(-1);
  if (exchange === undefined || attempt === undefined || exchange.operation === 'count-tokens') return { usage: ending?.usage, cost: undefined };
  const usage = ending === undefined ? usageOfFailure(exchange, attempt, error) : usageOfAnswer(exchange, ending);
  const price = exchange.targets.find(({ id }) => id === attempt.target)?.price;
  return { usage, cost: usage === undefined || price === undefined ? undefined : priceUsage(price, usage) };
};
