import { estimateUsage, inputTotal, sumUsages, type Usage } from '../canonical/usage.ts';
import { priceUsage } from '../catalog/price-usage.ts';
import type { AttemptRecord, Charge, Ending, Estimate, Exchange, Outcome, Target } from '../contracts/exchange.ts';

/** Output is estimated from the text that passed. */
const WEIGHT_PER_TOKEN = 4;

const mark = (usage: Usage): Usage => (usage.source === 'estimated' ? usage : { ...usage, source: 'estimated' });

/** Estimated output beside what the calls have reported. */
const addOutput = (calls: readonly Usage[], tokens: number): readonly Usage[] =>
  calls.map((call, index) => (index === 0 ? { ...mark(call), output: call.output + tokens } : mark(call)));

/** Every call has input: where none was reported, or nothing that could be read as a count, it is estimated. */
const withInput = (reported: Usage | undefined, { inputTokens }: Estimate): Usage => {
  if (reported === undefined) return estimateUsage(inputTokens, 0);
  return inputTotal(reported) > 0 ? reported : { ...mark(reported), inputUncached: inputTokens };
};

/** What was refused or filtered may cost nothing at all: there the provider's word holds. */
const isRefused = ({ finish }: Ending): boolean => finish?.reason === 'refusal' || finish?.reason === 'content_filter';

/** Did the providers have the last word on it? Of several answers the first to finish says nothing of the others. */
const isWhole = ({ request }: Exchange, { reason, finish, readToEnd = false }: Ending): boolean => {
  if (finish?.unfinished === true) return false;
  return reason === 'complete' || readToEnd || (finish !== undefined && !('choices' in request && request.choices > 1));
};

/** Does the request ask the model to reason, or not to? undefined: it does not say. */
const asksToReason = ({ request }: Exchange): boolean | undefined => {
  if (!('reasoning' in request) || request.reasoning === undefined) return undefined;
  const { effort, budget } = request.reasoning;
  return effort === undefined && budget === undefined ? undefined : effort !== 'none' && budget !== 0;
};

const mayReason = (exchange: Exchange, { reasons }: Target, reasoned: boolean): boolean => {
  const asks = asksToReason(exchange);
  return reasoned || asks === true || reasons === 'always' || (reasons !== undefined && asks === undefined);
};

/**
 * The tokens of output that an exchange is charged at least, where its client left before the usage was known: what the model had reasoned may be
 * more than all that was shown, so that all that was reserved is charged.
 */
const leastOfLeaver = (exchange: Exchange, target: Target, reasoned = false): number =>
  mayReason(exchange, target, reasoned) ? exchange.estimate.outputTokens : 0;

/** The same of an answer that began. What the vendor still makes of it is not seen at all. */
const leastOfAnswer = (exchange: Exchange, target: Target, { reason, finish, readToEnd, reasoned }: Ending): number => {
  if (finish?.unfinished === true) return exchange.estimate.outputTokens;
  return reason === 'client_closed' && readToEnd !== true ? leastOfLeaver(exchange, target, reasoned) : 0;
};

/**
 * Of an answer that began, the calls that made it: as the provider reported, else the estimated input and the output that was seen. Some wires report
 * their input first: where a stream was cut before its finish, what was seen counts beside it, so that nobody has it for nothing by leaving early.
 */
const callsOfAnswer = (exchange: Exchange, target: Target, ending: Ending): readonly Usage[] => {
  const reported = ending.calls ?? [ending.usage];
  if (isRefused(ending) && reported.every((usage) => usage !== undefined)) return reported;
  const calls = reported.map((usage) => withInput(usage, exchange.estimate));
  const output = calls.reduce((sum, call) => sum + call.output, 0);
  const whole = isWhole(exchange, ending);
  if (whole && output > 0 && reported.every((usage) => usage !== undefined)) return calls;
  const least = leastOfAnswer(exchange, target, ending);
  const unseen = Math.max(0, Math.max(Math.ceil(ending.outputChars / WEIGHT_PER_TOKEN), least) - output);
  if (whole && unseen === 0) return calls;
  return addOutput(calls, unseen);
};

/** Of an attempt that showed nothing, the calls that must be paid. What they had reported by then was not their last word. */
const callsOfFailure = (
  exchange: Exchange,
  target: Target,
  paid: readonly (Usage | undefined)[],
  left = false,
): readonly Usage[] => {
  const calls = paid.map((usage) => withInput(usage, exchange.estimate));
  const output = calls.reduce((sum, call) => sum + call.output, 0);
  return addOutput(calls, Math.max(0, (left ? leastOfLeaver(exchange, target) : 0) - output));
};

const describeCharge = (attempt: number, target: Target, usage: Usage, calls: readonly Usage[]): Charge => {
  const { price } = target;
  let cost: bigint | undefined;
  if (price !== undefined) for (const call of calls) cost = (cost ?? 0n) + priceUsage(price, call);
  if (calls.length === 1) return { attempt, target, usage, cost };
  return { attempt, target, usage: { ...usage, raw: calls.map(({ raw }) => raw) }, calls, cost };
};

const callsOf = (
  { paid, clientLeft, committed, ending: own }: AttemptRecord,
  exchange: Exchange,
  target: Target,
  ending = own,
): readonly Usage[] => {
  if (paid !== undefined) return callsOfFailure(exchange, target, paid, clientLeft);
  return committed && ending !== undefined ? callsOfAnswer(exchange, target, ending) : [];
};

const listCharges = ({ exchange, attempts, ending }: SpendingFacts): readonly Charge[] => {
  const charges: Charge[] = [];
  // A prompt that is only counted costs nothing.
  if (exchange === undefined || exchange.operation === 'count-tokens') return charges;
  for (const [attempt, record] of attempts.entries()) {
    const target = exchange.targets.find(({ id }) => id === record.target);
    if (target === undefined) continue;
    const calls = callsOf(record, exchange, target, ending);
    const usage = sumUsages(calls);
    if (usage !== undefined) charges.push(describeCharge(attempt, target, usage, calls));
  }
  return charges;
};

export interface SpendingFacts {
  /** undefined where the request was refused before it was understood. */
  readonly exchange: Exchange | undefined;
  readonly attempts: readonly AttemptRecord[];
  readonly ending: Ending | undefined;
}

/** What an exchange used and what that costs: every call of every attempt by the same rule, at the price of its own target. */
export function measureSpending(facts: SpendingFacts): Pick<Outcome, 'charges' | 'usage' | 'cost'> {
  const charges = listCharges(facts);
  let cost: bigint | undefined;
  for (const charge of charges) if (charge.cost !== undefined) cost = (cost ?? 0n) + charge.cost;
  return { charges, usage: sumUsages(charges.map(({ usage }) => usage)), cost };
}
