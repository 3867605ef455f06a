import {
  invalidRequest,
  type Exchange,
  type GatewayError,
  type HostedEstimate,
  type LimitUnit,
} from '../../../core/api/index.ts';
import { MAX_CALLS } from '../../../core/api/internal.ts';
import { Need } from './amounts.ts';
import { describeAmount, describeLimit } from '../rules/describe-limit.ts';
import type { Rule, RuleSet } from '../rules/rule.ts';

/** Names the hosted tools, whose uses are a part of the cost. */
const describeTools = (unit: LimitUnit, tools: readonly HostedEstimate[]): string => {
  if (unit !== 'cost' || tools.length === 0) return '';
  const images = tools.find(({ tool }) => tool === 'image');
  if (images !== undefined)
    return ` That includes ${images.uses} of 'image': ask for fewer, or for a size and a quality that cost less.`;
  const uses = tools.map(({ tool, uses }) => `${uses} of ${tool}`).join(', ');
  return ` That includes the uses of hosted tools (${uses}): lower their cap, such as max_uses.`;
};

const adviceOf = (unit: LimitUnit): string => {
  if (unit === 'images') return 'Ask for fewer images, or have the limit raised.';
  if (unit === 'characters') return 'Shorten the text, or have the limit raised.';
  return 'Lower the cap on its output tokens, shorten its prompt, or have the limit raised.';
};

const createMisfitError = (
  { scope, holder, limit, bucket }: Rule,
  amount: number,
  tools: readonly HostedEstimate[],
): GatewayError => {
  const { unit } = limit;
  const holds = describeAmount(unit, bucket.limit);
  return invalidRequest(
    '',
    `This request can never be admitted: the limit of ${describeLimit(scope, holder, limit)} holds ${holds} at most, ` +
      `and the request could use ${describeAmount(unit, amount)}.${describeTools(unit, tools)} ${adviceOf(unit)}`,
  );
};

/** A target with one response per call is called once for each response, and every call costs the input. */
const countCalls = (choices: number): number => Math.min(Math.max(1, choices), MAX_CALLS);

/** How many images a request wants: each is an output of its own. */
const countImages = (exchange: Exchange): number => (exchange.operation === 'image' ? exchange.request.count : 1);

const multiply = (tool: HostedEstimate, calls: number): HostedEstimate => ({
  ...tool,
  uses: tool.uses * calls,
  inputTokens: tool.inputTokens * calls,
  outputTokens: tool.outputTokens * calls,
  imageTokens: tool.imageTokens * calls,
});

/** What the request itself declares of a hosted tool: its uses, and not how long the results are. */
const leastOf = (tool: HostedEstimate): readonly HostedEstimate[] =>
  tool.declared ? [tool.model === undefined ? { ...tool, inputTokens: 0 } : tool] : [];

/**
 * What an exchange reserves by each rule: the input and output of every response it requests. What its client declared
 * is reserved in full. Without a declared cap, output and the input of further calls are cut to what the bucket holds:
 * no request is refused for what the gateway only estimates.
 * @param undeclaredOutput the most output tokens for each response without a declared cap
 * @throws GatewayError 400 if even an unused limit could not admit it, because waiting would not help
 */
export function fitEstimate(exchange: Exchange, set: RuleSet, undeclaredOutput: number): readonly number[] {
  const { estimate, targets } = exchange;
  const { declared, inputTokens, outputTokens, hosted } = estimate;
  const choices = exchange.operation === 'generate' ? exchange.request.choices : 1;
  const calls = countCalls(choices);
  const output = declared
    ? outputTokens
    : Math.min(outputTokens, undeclaredOutput * Math.max(choices, countImages(exchange)));
  const tools = hosted === undefined || calls === 1 ? hosted : hosted.map((tool) => multiply(tool, calls));
  const need = new Need(targets, inputTokens * calls, output, tools);
  const amounts: number[] = [];
  for (const rule of set.rules) {
    const { bucket, limit } = rule;
    const { unit } = limit;
    const amount = need.of(unit);
    if (amount <= bucket.limit) {
      amounts.push(amount);
      continue;
    }
    const least = new Need(targets, inputTokens, declared ? output : 0, hosted?.flatMap(leastOf)).of(unit);
    if (least > bucket.limit && bucket.enforce) throw createMisfitError(rule, least, hosted ?? []);
    // A shadow limit takes just more than it holds: it reports a refusal, and the other requests are still counted.
    amounts.push(least <= bucket.limit ? bucket.limit : bucket.limit + 1);
  }
  return amounts;
}
