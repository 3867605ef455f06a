import type { Usage } from '../canonical/usage.ts';
import { priceUsage } from '../catalog/price-usage.ts';
import type { AttemptRecord, Charge, Ending, Exchange, Outcome } from '../contracts/exchange.ts';
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

/**
 * Of an attempt that showed nothing: what was reported, else its input, once the upstream began a 2xx answer or the client left while it was in
 * flight. Other failures are free.
 * @param left the client left during this attempt
 */
const usageOfFailure = ({ estimate }: Exchange, { status, usage }: AttemptRecord, left: boolean): Usage | undefined => {
  if (usage !== undefined) return { ...usage, source: 'estimated' };
  const began = status >= 200 && status < 300;
  return began || left ? estimateUsage(estimate.inputTokens, 0) : undefined;
};

const add = (one: number | undefined, other: number | undefined): number => (one ?? 0) + (other ?? 0);
const parts = ['inputAudio', 'inputImage', 'outputAudio', 'outputImage'] as const;

/** Of several calls. Their tiers and raw figures stand in the charges. */
const sumUsages = (one: Usage, other: Usage): Usage => ({
  inputUncached: one.inputUncached + other.inputUncached,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite5m: one.cacheWrite5m + other.cacheWrite5m,
  cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
  output: one.output + other.output,
  reasoning: one.reasoning + other.reasoning,
  ...Object.fromEntries(parts.flatMap((part) => (one[part] === undefined && other[part] === undefined ? [] : [[part, add(one[part], other[part])]]))),
  source: one.source === 'provider' && other.source === 'provider' ? 'provider' : 'estimated',
});

interface SpendingFacts {
  /** undefined where the request was refused before it was understood. */
  readonly exchange: Exchange | undefined;
  readonly attempts: readonly AttemptRecord[];
  readonly ending: Ending | undefined;
  readonly error: GatewayError | undefined;
}

const listCharges = ({ exchange, attempts, ending, error }: SpendingFacts): readonly Charge[] => {
  // A prompt that is only counted costs nothing.
  if (exchange === undefined || exchange.operation === 'count-tokens') return [];
  return attempts.flatMap((record, attempt): readonly Charge[] => {
    const left = attempt === attempts.length - 1 && record.status === 0 && record.failure === 'unknown' && error?.code === 'client_closed';
    const usage = record.committed && ending !== undefined ? usageOfAnswer(exchange, ending) : usageOfFailure(exchange, record, left);
    const target = exchange.targets.find(({ id }) => id === record.target);
    if (usage === undefined || target === undefined) return [];
    return [{ attempt, target, usage, cost: target.price === undefined ? undefined : priceUsage(target.price, usage) }];
  });
};

const sumCosts = (charges: readonly Charge[]): bigint | undefined =>
  charges.reduce<bigint | undefined>((sum, { cost }) => (cost === undefined ? sum : (sum ?? 0n) + cost), undefined);

/** What an exchange used and what that costs: every attempt by the same rule, at the price of its own target. */
export const measureSpending = (facts: SpendingFacts): Pick<Outcome, 'charges' | 'usage' | 'cost'> => {
  const charges = listCharges(facts);
  const [first, ...others] = charges.map(({ usage }) => usage);
  return { charges, usage: first === undefined ? undefined : others.reduce(sumUsages, first), cost: sumCosts(charges) };
};
