import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { operations } from '../canonical/operation/operations.ts';
import { estimateUsage, isMeasured, listCalls, sumUsages, type Usage } from '../canonical/usage.ts';
import { findUnpriced, hasTokenRates, priceUsage } from '../catalog/price-usage.ts';
import type { AttemptRecord, Ending } from '../contracts/attempt-record.ts';
import type { Exchange } from '../contracts/exchange.ts';
import type { Target } from '../contracts/target.ts';
import type { Estimate, Price } from '../contracts/price.ts';
import type { Charge, Outcome } from '../contracts/outcome.ts';

/** Weight of the delivered text (`weighText`) per estimated token of output. */
const WEIGHT_PER_TOKEN = 4;

/** The usage of a response that reported none. @param outputChars weight of the delivered text */
export const estimateResponse = (inputTokens: number, outputChars: number): Usage =>
  estimateUsage(inputTokens, Math.ceil(outputChars / WEIGHT_PER_TOKEN));

const mark = (usage: Usage): Usage => (usage.source === 'estimated' ? usage : { ...usage, source: 'estimated' });

/** Adds estimated output to the first call, and marks all as estimated. */
const addOutput = (calls: readonly Usage[], tokens: number): readonly Usage[] =>
  calls.map((call, index) => (index === 0 ? { ...mark(call), output: call.output + tokens } : mark(call)));

/** The units that the request itself asked for: images, searches. Hosted tools decide how much they use. */
const estimateUnits = ({ operation, estimate }: Exchange): Pick<Usage, 'units'> => {
  const counted = operation === 'generate' ? [] : (estimate.hosted ?? []);
  const units = counted.flatMap(({ unit, uses }) => (unit === undefined ? [] : [[unit, uses] as const]));
  return units.length === 0 ? {} : { units: Object.fromEntries(units) };
};

/** The tokens of a call whose provider reported units only, where its price is one of tokens. */
const estimateTokens = ({ inputTokens, outputTokens, hosted = [] }: Estimate): Partial<Usage> => ({
  inputUncached: inputTokens,
  output: outputTokens,
  outputImage: hosted.reduce((sum, { imageTokens }) => sum + imageTokens, 0),
});

/** The vendor's word, if it says what it chose, else that of the request. */
const choose = (reported: string | undefined, requested: string | undefined): string | undefined =>
  reported === undefined || reported === 'auto' ? requested : reported;

/** The size and quality of generated images are those of the response, and what it does not say is as requested. */
const withImage = (usage: Usage, { request }: Exchange): Usage =>
  'count' in request && usage.units?.images !== undefined
    ? {
        ...usage,
        image: omitUndefined({
          size: choose(usage.image?.size, request.size),
          quality: choose(usage.image?.quality, request.quality),
        }),
      }
    : usage;

/**
 * Every call has input: if the provider reported none, or no usable count, it is estimated. A call that is billed by
 * units can have no tokens.
 */
const withInput = (given: Usage | undefined, exchange: Exchange, { price }: Target): Usage => {
  const { inputTokens } = exchange.estimate;
  if (given === undefined) return withImage({ ...estimateUsage(inputTokens, 0), ...estimateUnits(exchange) }, exchange);
  const reported = withImage(given, exchange);
  // Most calls have no units.
  const isUnpriced = reported.units !== undefined && price !== undefined && findUnpriced(price, reported) !== undefined;
  if (isUnpriced && hasTokenRates(price)) return { ...mark(reported), ...estimateTokens(exchange.estimate) };
  return isMeasured(reported) ? reported : { ...mark(reported), inputUncached: inputTokens };
};

/** A refused or filtered response can cost nothing at all, so the reported usage stands. */
const isRefused = ({ finish }: Ending): boolean => finish?.reason === 'refusal' || finish?.reason === 'content_filter';

/**
 * Whether the reported usage is final. With several choices, the finish reason of the first does not cover the others.
 */
const isWhole = ({ request }: Exchange, { reason, finish, readToEnd = false }: Ending): boolean => {
  if (finish?.unfinished === true) return false;
  return reason === 'complete' || readToEnd || (finish !== undefined && !('choices' in request && request.choices > 1));
};

/** Whether the request turns reasoning on or off; undefined: it does neither. */
const requestsReasoning = ({ request }: Exchange): boolean | undefined => {
  if (!('reasoning' in request) || request.reasoning === undefined) return undefined;
  const { effort, budget } = request.reasoning;
  return effort === undefined && budget === undefined ? undefined : effort !== 'none' && budget !== 0;
};

const canHaveReasoned = (exchange: Exchange, { reasons }: Target, reasoned: boolean): boolean => {
  const requested = requestsReasoning(exchange);
  return reasoned || requested === true || reasons === 'always' || (reasons !== undefined && requested === undefined);
};

/**
 * The least output, in tokens, that is charged if the client left before the usage was known. Hidden reasoning can be
 * longer than all the delivered text, so for a model that can have reasoned the whole reserved output is charged.
 * An image is made as a whole.
 */
const minOutputAfterLeaving = (exchange: Exchange, target: Target, reasoned = false): number =>
  exchange.operation === 'image' || canHaveReasoned(exchange, target, reasoned) ? exchange.estimate.outputTokens : 0;

/** The least output of a response that began. The provider can still be producing an unfinished one, unseen. */
const minOutputOfResponse = (
  exchange: Exchange,
  target: Target,
  { reason, finish, readToEnd, reasoned }: Ending,
): number => {
  if (finish?.unfinished === true) return exchange.estimate.outputTokens;
  return reason === 'client_closed' && readToEnd !== true ? minOutputAfterLeaving(exchange, target, reasoned) : 0;
};

/**
 * The usage of the calls of a response that began: as the provider reported it, else the estimated input and the
 * output that was seen. Some wires report the input at the start of a stream. If such a stream is cut, the output that
 * was seen is added, so that leaving early is not free.
 */
const usageOfResponse = (exchange: Exchange, target: Target, ending: Ending): readonly Usage[] => {
  const reported = ending.calls ?? [ending.usage];
  if (isRefused(ending) && reported.every((usage) => usage !== undefined)) return reported;
  const calls = reported.map((usage) => withInput(usage, exchange, target));
  const output = calls.reduce((sum, call) => sum + call.output, 0);
  const whole = isWhole(exchange, ending);
  if (whole && output > 0 && reported.every((usage) => usage !== undefined)) return calls;
  const least = minOutputOfResponse(exchange, target, ending);
  const unseen = Math.max(0, Math.max(Math.ceil(ending.outputChars / WEIGHT_PER_TOKEN), least) - output);
  if (whole && unseen === 0) return calls;
  return addOutput(calls, unseen);
};

/** The usage of the charged calls of an attempt that delivered nothing. What they had reported was not final. */
const usageOfFailure = (
  exchange: Exchange,
  target: Target,
  billedCalls: readonly (Usage | undefined)[],
  left = false,
): readonly Usage[] => {
  const calls = billedCalls.map((usage) => withInput(usage, exchange, target));
  const output = calls.reduce((sum, call) => sum + call.output, 0);
  return addOutput(calls, Math.max(0, (left ? minOutputAfterLeaving(exchange, target) : 0) - output));
};

/** The costs that the vendor reported, if it did for every call, and none is estimated. */
const sumReported = (calls: readonly Usage[]): bigint | undefined => {
  let sum = 0n;
  for (const { reportedCost, source } of calls) {
    if (reportedCost === undefined || source === 'estimated') return undefined;
    sum += BigInt(reportedCost);
  }
  return sum;
};

const describeCharge = (
  attempt: number,
  target: Target,
  price: Price | undefined,
  usage: Usage,
  calls: readonly Usage[],
): Charge => {
  let cost: bigint | undefined;
  if (price === undefined) cost = calls[0]?.reportedCost === undefined ? undefined : sumReported(calls);
  else for (const call of calls) cost = (cost ?? 0n) + priceUsage(price, call);
  // A unit without a figure: what the call has cost is not known.
  if (price !== undefined)
    for (const call of calls) if (call.units !== undefined && findUnpriced(price, call) !== undefined) cost = undefined;
  if (calls.length === 1) return { attempt, target, usage, price, cost };
  // The further calls of a vendor are in the usage object of their own call.
  const raws = calls.flatMap(({ raw }) => (raw === undefined ? [] : [raw]));
  return { attempt, target, usage: { ...usage, raw: raws.length > 1 ? raws : raws[0] }, calls, price, cost };
};

const callsOf = (
  { billedCalls, clientLeft, committed, ending: own }: AttemptRecord,
  exchange: Exchange,
  target: Target,
  ending = own,
): readonly Usage[] => {
  if (billedCalls !== undefined) return usageOfFailure(exchange, target, billedCalls, clientLeft);
  return committed && ending !== undefined ? usageOfResponse(exchange, target, ending) : [];
};

const listCharges = ({ exchange, attempts, ending }: SpendingFacts): readonly Charge[] => {
  const charges: Charge[] = [];
  if (exchange === undefined || operations[exchange.operation].isFree === true) return charges;
  for (let attempt = 0; attempt < attempts.length; attempt += 1) {
    const record = attempts[attempt];
    const target = record && exchange.targets.find(({ id }) => id === record.target);
    if (record === undefined || target === undefined) continue;
    const reported = callsOf(record, exchange, target, ending);
    const calls = reported.some(({ further }) => further !== undefined) ? reported.flatMap(listCalls) : reported;
    let own = calls;
    // What the vendor used another model for has the price of that model, or none.
    for (const call of calls) {
      const { model } = call;
      if (model === undefined || model === target.model) continue;
      charges.push(describeCharge(attempt, target, target.priceOf?.(model), call, [call]));
      own = own.filter((other) => other !== call);
    }
    const usage = sumUsages(own);
    if (usage !== undefined) charges.push(describeCharge(attempt, target, target.price, usage, own));
  }
  return charges;
};

export interface SpendingFacts {
  /** undefined if the request was refused before it was decoded. */
  readonly exchange: Exchange | undefined;
  readonly attempts: readonly AttemptRecord[];
  readonly ending: Ending | undefined;
}

export type Spending = Pick<Outcome, 'charges' | 'usage' | 'cost'>;

/** The usage and cost of an exchange: every call of every attempt, at the price of its own target. */
export function measureSpending(facts: SpendingFacts): Spending {
  const charges = listCharges(facts);
  let cost: bigint | undefined;
  for (const charge of charges) if (charge.cost !== undefined) cost = (cost ?? 0n) + charge.cost;
  const [first] = charges;
  const usage = charges.length === 1 ? first?.usage : sumUsages(charges.map((charge) => charge.usage));
  return { charges, usage, cost };
}
