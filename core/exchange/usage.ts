import { estimateUsage, inputTotal, sumUsages, type Usage } from '../canonical/usage.ts';
import { priceUsage } from '../catalog/price-usage.ts';
import type { AttemptRecord, Charge, Ending, Estimate, Exchange, Outcome, Target } from '../contracts/exchange.ts';
import type { Price } from '../contracts/price.ts';

/** Output is estimated from the characters that passed. */
const CHARS_PER_TOKEN = 4;

const mark = (usage: Usage): Usage => (usage.source === 'estimated' ? usage : { ...usage, source: 'estimated' });

/** Every call has input: where none was reported, or nothing that could be read as a count, it is estimated. */
const withInput = (reported: Usage | undefined, { inputTokens }: Estimate): Usage => {
  if (reported === undefined) return estimateUsage(inputTokens, 0);
  return inputTotal(reported) > 0 ? reported : { ...mark(reported), inputUncached: inputTokens };
};

/** What was refused or filtered may cost nothing at all: there the provider's word holds. */
const isRefused = ({ finish }: Ending): boolean => finish?.reason === 'refusal' || finish?.reason === 'content_filter';

/** Did the providers have the last word on it? Of several answers the first to finish says nothing of the others. */
const isWhole = ({ request }: Exchange, { reason, finish }: Ending): boolean => reason === 'complete' || (finish !== undefined && !('choices' in request && request.choices > 1));

/**
 * Of an answer that began, the calls that made it: as the provider reported, else the estimated input and the output that was seen. Some wires report
 * their input first: where a stream was cut before its finish, what was seen counts beside it, so that nobody has it for nothing by leaving early.
 */
const callsOfAnswer = (exchange: Exchange, ending: Ending): readonly Usage[] => {
  const reported = ending.calls ?? [ending.usage];
  if (isRefused(ending) && reported.every((usage) => usage !== undefined)) return reported;
  const calls = reported.map((usage) => withInput(usage, exchange.estimate));
  const output = calls.reduce((sum, call) => sum + call.output, 0);
  const whole = isWhole(exchange, ending);
  if (whole && output > 0 && reported.every((usage) => usage !== undefined)) return calls;
  const unseen = Math.max(0, Math.ceil(ending.outputChars / CHARS_PER_TOKEN) - output);
  if (whole && unseen === 0) return calls;
  return calls.map((call, index) => (index === 0 ? { ...mark(call), output: call.output + unseen } : mark(call)));
};

/** Of an attempt that showed nothing, the calls that must be paid. What they had reported by then was not their last word. */
const callsOfFailure = (paid: readonly (Usage | undefined)[], { estimate }: Exchange): readonly Usage[] => paid.map((usage) => mark(withInput(usage, estimate)));

const sumPrices = (price: Price, calls: readonly Usage[]): bigint => calls.reduce((sum, call) => sum + priceUsage(price, call), 0n);

const describeCharge = (attempt: number, target: Target, calls: readonly Usage[]): readonly Charge[] => {
  const usage = sumUsages(calls);
  if (usage === undefined) return [];
  const cost = target.price === undefined ? undefined : sumPrices(target.price, calls);
  return [calls.length === 1 ? { attempt, target, usage, cost } : { attempt, target, usage: { ...usage, raw: calls.map(({ raw }) => raw) }, calls, cost }];
};

const callsOf = ({ paid, committed, ending: own }: AttemptRecord, exchange: Exchange, ending = own): readonly Usage[] => {
  if (paid !== undefined) return callsOfFailure(paid, exchange);
  return committed && ending !== undefined ? callsOfAnswer(exchange, ending) : [];
};

const listCharges = ({ exchange, attempts, ending }: SpendingFacts): readonly Charge[] => {
  // A prompt that is only counted costs nothing.
  if (exchange === undefined || exchange.operation === 'count-tokens') return [];
  return attempts.flatMap((record, attempt) => {
    const target = exchange.targets.find(({ id }) => id === record.target);
    return target === undefined ? [] : describeCharge(attempt, target, callsOf(record, exchange, ending));
  });
};

const sumCosts = (charges: readonly Charge[]): bigint | undefined =>
  charges.reduce<bigint | undefined>((sum, { cost }) => (cost === undefined ? sum : (sum ?? 0n) + cost), undefined);

export interface SpendingFacts {
  /** undefined where the request was refused before it was understood. */
  readonly exchange: Exchange | undefined;
  readonly attempts: readonly AttemptRecord[];
  readonly ending: Ending | undefined;
}

/** What an exchange used and what that costs: every call of every attempt by the same rule, at the price of its own target. */
export const measureSpending = (facts: SpendingFacts): Pick<Outcome, 'charges' | 'usage' | 'cost'> => {
  const charges = listCharges(facts);
  return { charges, usage: sumUsages(charges.map(({ usage }) => usage)), cost: sumCosts(charges) };
};
