import { inputTotal, priceUsage, type Exchange, type LimitUnit, type Outcome, type Target } from '../../core/index.ts';

/** Of every unit, how much. */
export type Amounts = Readonly<Record<LimitUnit, number>>;

/** Nano-dollars that so many tokens cost at the dearest target that can be used. */
const dearest = (targets: readonly Target[], input: number, output: number): number => {
  // More than can be counted exactly is more than any budget.
  const usage = { inputUncached: Math.min(input, Number.MAX_SAFE_INTEGER), cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: Math.min(output, Number.MAX_SAFE_INTEGER), reasoning: 0, source: 'estimated' } as const;
  let most = 0n;
  for (const { price, credentials } of targets) {
    const cost = price === undefined || credentials.length === 0 ? 0n : priceUsage(price, usage);
    if (cost > most) most = cost;
  }
  return Number(most);
};

/** What an exchange may use with so many tokens of output. */
export const amountsOf = ({ estimate, targets }: Exchange, output: number): Amounts => {
  const input = estimate.inputTokens;
  return {
    requests: 1,
    concurrent: 1,
    inputTokens: input,
    outputTokens: output,
    tokens: input + output,
    get cost() {
      return dearest(targets, input, output);
    },
  };
};

/** What an exchange has used. A request is given back where no upstream was called. */
export const amountsUsed = ({ usage, cost, attempts }: Outcome): Amounts => {
  const input = usage === undefined ? 0 : inputTotal(usage);
  const output = usage?.output ?? 0;
  return { requests: attempts.length > 0 ? 1 : 0, concurrent: 0, inputTokens: input, outputTokens: output, tokens: input + output, cost: usage === undefined ? 0 : Number(cost ?? 0n) };
};
