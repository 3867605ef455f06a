import {
  inputTotal,
  priceUsage,
  type Exchange,
  type LimitUnit,
  type Outcome,
  type Target,
} from '../../../core/index.ts';

/** A price takes larger counts for nonsense, and nonsense for nothing. */
const MOST_PRICED = 100_000_000;

const priceOf = (target: Target, input: number, output: number): bigint =>
  target.price === undefined
    ? 0n
    : priceUsage(target.price, {
        inputUncached: Math.min(input, MOST_PRICED),
        cacheRead: 0,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        output: Math.min(output, MOST_PRICED),
        reasoning: 0,
        source: 'estimated',
      });

/** Nano-dollars that so many tokens cost at the dearest target that can be used. */
const dearest = (targets: readonly Target[], input: number, output: number): number => {
  let most = 0n;
  for (const target of targets) {
    const cost = target.credentials.length === 0 ? 0n : priceOf(target, input, output);
    if (cost > most) most = cost;
  }
  return Number(most);
};

/** How much an exchange may use with so many tokens. It is one request and one place, however many answers it asks for. */
export class Need {
  private readonly targets: readonly Target[];
  private readonly input: number;
  private readonly output: number;
  /** Computed once, for all budgets. */
  private cost: number | undefined;

  constructor(targets: readonly Target[], inputTokens: number, outputTokens: number) {
    this.targets = targets;
    this.input = inputTokens;
    this.output = outputTokens;
  }

  of(unit: LimitUnit): number {
    switch (unit) {
      case 'requests':
      case 'concurrent':
        return 1;
      case 'inputTokens':
        return this.input;
      case 'outputTokens':
        return this.output;
      case 'tokens':
        return this.input + this.output;
      case 'cost':
        return (this.cost ??= dearest(this.targets, this.input, this.output));
    }
  }
}

/**
 * Nano-dollars that an exchange is counted for when the process that serves it crashes: what the ledger takes for granted then as well. Of other
 * units its request is counted, and nothing else.
 */
export const costKept = ({ estimate: { inputTokens }, targets: [first] }: Exchange): number =>
  first === undefined ? 0 : Number(priceOf(first, inputTokens, 0));

/** More than any exchange uses, as in the ledger. Figures beyond are an upstream's nonsense. */
const MOST_TOKENS = 1e12;
const MOST_COST = 10n ** 15n;

/** How much of a unit an exchange has used. A request is given back where no upstream was called. */
export function amountUsed(unit: LimitUnit, { usage, cost, attempts }: Outcome): number {
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
}
