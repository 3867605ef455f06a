import { inputTotal, priceUsage, type Exchange, type LimitUnit, type Outcome, type Target } from '../../core/index.ts';

/** A price takes larger counts for nonsense, and nonsense for nothing. */
const MOST_PRICED = 100_000_000;

/** Nano-dollars that so many tokens cost at the dearest target that can be used. */
const dearest = (targets: readonly Target[], input: number, output: number): number => {
  const usage = { inputUncached: Math.min(input, MOST_PRICED), cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: Math.min(output, MOST_PRICED), reasoning: 0, source: 'estimated' } as const;
  let most = 0n;
  for (const { price, credentials } of targets) {
    const cost = price === undefined || credentials.length === 0 ? 0n : priceUsage(price, usage);
    if (cost > most) most = cost;
  }
  return Number(most);
};

/** How much of a unit an exchange may use with so many tokens. It is one request and one place, however many answers it asks for. */
export const amountOf = (unit: LimitUnit, targets: readonly Target[], inputTokens: number, outputTokens: number): number => {
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

/** How much of a unit an exchange is counted for when the process that serves it crashes: of money what the ledger takes for granted then as well. */
export const amountKept = (unit: LimitUnit, { estimate: { inputTokens }, targets: [first] }: Exchange): number => {
  if (unit === 'requests') return 1;
  return unit === 'cost' && first !== undefined ? dearest([{ ...first, credentials: ['any'] }], inputTokens, 0) : 0;
};

/** More than any exchange uses, as in the ledger. Figures beyond are an upstream's nonsense. */
const MOST_TOKENS = 1e12;
const MOST_COST = 10n ** 15n;

/** How much of a unit an exchange has used. A request is given back where no upstream was called. */
export const amountUsed = (unit: LimitUnit, { usage, cost, attempts }: Outcome): number => {
  if (unit === 'requests') return attempts.length > 0 ? 1 : 0;
  if (usage === undefined) return 0;
  switch (unit) {
    case 'inputTokens':
      return Math.min(inputTotal(usage), MOST_TOKENS);
    case 'outputTokens':
      return Math.min(usage.output, MOST_TOKENS);
    case 'tokens':
      return Math.min(inputTotal(usage) + usage.output, MOST_TOKENS);
    case 'cost':
      return cost === undefined ? 0 : Number(cost > MOST_COST ? MOST_COST : cost);
    case 'concurrent':
      return 0;
  }
};
