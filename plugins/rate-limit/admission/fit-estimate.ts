import { invalidRequest, MAX_CALLS, type Exchange, type GatewayError } from '../../../core/index.ts';
import { Need } from './amounts.ts';
import { describeAmount, describeLimit } from '../rules/describe-limit.ts';
import type { Rule, RuleSet } from '../rules/rules.ts';

const describeMisfit = ({ scope, holder, limit, bucket }: Rule, amount: number): GatewayError => {
  const { unit } = limit;
  const holds = describeAmount(unit, bucket.limit);
  return invalidRequest(
    '',
    `This request can never be admitted: the limit of ${describeLimit(scope, holder, limit)} holds ${holds} at most, and the request could use ${describeAmount(unit, amount)}. Lower the cap on its output tokens, shorten its prompt, or have the limit raised.`,
  );
};

/** A target that gives one answer per call is called once for each, and each call is paid for its input. */
const countCalls = (answers: number): number => Math.min(Math.max(1, answers), MAX_CALLS);

/** An answer that the vendor goes on making after the call could use more than anything that was reserved, and is never counted. */
const refuseDeferred = ({ operation, request }: Exchange, { refusesDeferred }: RuleSet): void => {
  if (operation !== 'generate' || request.deferred === undefined || refusesDeferred === undefined) return;
  const { scope, holder, limit } = refusesDeferred;
  throw invalidRequest(
    request.deferred,
    `'${request.deferred}' is not possible under the limit of ${describeLimit(scope, holder, limit)}: what such an answer uses is known only after the call. Leave it out, and take the answer as it comes, with 'stream' where it takes long; or have it asked for with a key that has no limits of tokens or cost.`,
  );
};

/**
 * How much an exchange reserves of each rule: input and output of every answer that it asks for. What its client declared is reserved whole. Where
 * it declared nothing, what is reserved for its output is cut to what the bucket holds, and so is the input of further calls: nothing is refused
 * for what the gateway only guessed.
 * @param undeclaredOutput tokens of each answer whose length nobody declared, at most
 * @throws GatewayError 400 where a limit could not admit it even with an empty bucket: waiting would be no use; and where an answer is deferred
 */
export function fitEstimate(exchange: Exchange, set: RuleSet, undeclaredOutput: number): readonly number[] {
  refuseDeferred(exchange, set);
  const {
    estimate: { declared, inputTokens, outputTokens },
    targets,
  } = exchange;
  const answers = exchange.operation === 'generate' ? exchange.request.choices : 1;
  const output = declared ? outputTokens : Math.min(outputTokens, undeclaredOutput * answers);
  const need = new Need(targets, inputTokens * countCalls(answers), output);
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
    if (least > bucket.limit && bucket.enforce) throw describeMisfit(rule, least);
    // Of a shadow limit: more than it holds, and no more than that, so that it goes on counting the others.
    amounts.push(least <= bucket.limit ? bucket.limit : bucket.limit + 1);
  }
  return amounts;
}
