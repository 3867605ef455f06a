import { invalidRequest, type Exchange, type GatewayError } from '../../../core/api/index.ts';
import { MAX_CALLS } from '../../../core/api/internal.ts';
import { Need } from './amounts.ts';
import { describeAmount, describeLimit } from '../rules/describe-limit.ts';
import type { Rule, RuleSet } from '../rules/rule.ts';

const createMisfitError = ({ scope, holder, limit, bucket }: Rule, amount: number): GatewayError => {
  const { unit } = limit;
  const holds = describeAmount(unit, bucket.limit);
  return invalidRequest(
    '',
    `This request can never be admitted: the limit of ${describeLimit(scope, holder, limit)} holds ${holds} at most, ` +
      `and the request could use ${describeAmount(unit, amount)}. Lower the cap on its output tokens, shorten its ` +
      'prompt, or have the limit raised.',
  );
};

/** A target with one response per call is called once for each response, and every call costs the input. */
const countCalls = (choices: number): number => Math.min(Math.max(1, choices), MAX_CALLS);

/** A deferred response is generated after the call: what it uses would never be settled. */
const refuseDeferred = ({ operation, request }: Exchange, { refusesDeferred }: RuleSet): void => {
  if (operation !== 'generate' || request.deferred === undefined || refusesDeferred === undefined) return;
  const { scope, holder, limit } = refusesDeferred;
  throw invalidRequest(
    request.deferred,
    `'${request.deferred}' is not possible under the limit of ${describeLimit(scope, holder, limit)}: what such a ` +
      "response uses is known only after the call. Leave it out, with 'stream' for a long response; or use a key " +
      'without limits of tokens or cost.',
  );
};

/**
 * What an exchange reserves by each rule: the input and output of every response it requests. What its client declared
 * is reserved in full. Without a declared cap, output and the input of further calls are cut to what the bucket holds:
 * no request is refused for what the gateway only estimates.
 * @param undeclaredOutput the most output tokens for each response without a declared cap
 * @throws GatewayError 400 if even an unused limit could not admit it, because waiting would not help; and for deferred
 * responses
 */
export function fitEstimate(exchange: Exchange, set: RuleSet, undeclaredOutput: number): readonly number[] {
  refuseDeferred(exchange, set);
  const {
    estimate: { declared, inputTokens, outputTokens },
    targets,
  } = exchange;
  const choices = exchange.operation === 'generate' ? exchange.request.choices : 1;
  const output = declared ? outputTokens : Math.min(outputTokens, undeclaredOutput * choices);
  const need = new Need(targets, inputTokens * countCalls(choices), output);
  const amounts: number[] = [];
  for (const rule of set.rules) {
    const {
      bucket,
      limit: { unit },
    } = rule;
    const amount = need.of(unit);
    if (amount <= bucket.limit) {
      amounts.push(amount);
      continue;
    }
    const least = new Need(targets, inputTokens, declared ? output : 0).of(unit);
    if (least > bucket.limit && bucket.enforce) throw createMisfitError(rule, least);
    // A shadow limit takes just more than it holds: it reports a refusal, and the other requests are still counted.
    amounts.push(least <= bucket.limit ? bucket.limit : bucket.limit + 1);
  }
  return amounts;
}
