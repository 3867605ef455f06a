import { inputTotal, priceUsage, type Exchange, type LimitUnit, type Outcome, type Target } from '../../core/index.ts';

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

/** How much of a unit an exchange may use with so many tokens of output. */
export const amountOf = (unit: LimitUnit, { estimate: { inputTokens }, targets }: Exchange, outputTokens: number): number => {
  switch (unit) {
    case 'requests':
    case 'concurrent':
      return 1;
    case 'inputTokens':
      return inputTokens;
    case 'outputTokens':
      return outputTokens;
    case 'tokens':
      return inputTokens + outputTokens;
    case 'cost':
      return dearest(targets, inputTokens, outputTokens);
  }
};

/** How much of a unit an exchange has used. A request is given back where no upstream was called. */
export const amountUsed = (unit: LimitUnit, { usage, cost, attempts }: Outcome): number => {
  if (unit === 'requests') return attempts.length > 0 ? 1 : 0;
  if (usage === undefined) return 0;
  switch (unit) {
    case 'inputTokens':
      return inputTotal(usage);
    case 'outputTokens':
      return usage.output;
    case 'tokens':
      return inputTotal(usage) + usage.output;
    case 'cost':
      return Number(cost ?? 0n);
    case 'concurrent':
      return 0;
  }
};
