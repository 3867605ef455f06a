import {
  inputTotal,
  type Exchange,
  type HostedEstimate,
  type LimitUnit,
  type Outcome,
  type Target,
} from '../../../core/api/index.ts';
import { priceEstimate } from '../../../core/api/internal.ts';

/** The cost in nano-dollars at the most expensive target that can be used. */
const highestCost = (
  targets: readonly Target[],
  input: number,
  output: number,
  tools: readonly HostedEstimate[] | undefined,
): number => {
  let highest = 0n;
  for (const target of targets) {
    const cost = target.credentials.length === 0 ? 0n : priceEstimate(target, input, output, tools);
    if (cost > highest) highest = cost;
  }
  return Number(highest);
};

/** The uses of a unit that is billed by itself. */
const countUses = (tools: readonly HostedEstimate[] | undefined, unit: LimitUnit): number => {
  let uses = 0;
  for (const tool of tools ?? []) if (tool.unit === unit) uses += tool.uses;
  return uses;
};

/**
 * What an exchange needs of each unit at most, from its estimated tokens, and its hosted tools and other units, which
 * count for cost and for limits of their own unit. It is one request and one place of `concurrent`, however many
 * responses it requests.
 */
export class Need {
  readonly #targets: readonly Target[];
  readonly #input: number;
  readonly #output: number;
  readonly #tools: readonly HostedEstimate[] | undefined;
  /** Computed once for all budgets. */
  #cost: number | undefined;

  constructor(
    targets: readonly Target[],
    inputTokens: number,
    outputTokens: number,
    tools?: readonly HostedEstimate[],
  ) {
    this.#tools = tools;
    this.#targets = targets;
    this.#input = inputTokens;
    this.#output = outputTokens;
  }

  of(unit: LimitUnit): number {
    switch (unit) {
      case 'requests':
      case 'concurrent':
        return 1;
      case 'inputTokens':
        return this.#input;
      case 'outputTokens':
        return this.#output;
      case 'tokens':
        return this.#input + this.#output;
      case 'images':
      case 'seconds':
      case 'characters':
        return countUses(this.#tools, unit);
      case 'cost':
        return (this.#cost ??= highestCost(this.#targets, this.#input, this.#output, this.#tools));
    }
  }
}

/**
 * The nano-dollars that stay counted if the process of an exchange crashes: the cost of its input, as in the ledger. Of
 * the other units only its request stays counted.
 */
export const costKept = ({
  estimate: { inputTokens },
  targets: [first],
}: Pick<Exchange, 'estimate' | 'targets'>): number =>
  first === undefined ? 0 : Number(priceEstimate(first, inputTokens, 0));

/** More than any exchange uses; the ledger has the same bounds. Larger figures are errors of an upstream. */
const MAX_TOKENS = 1e12;
const MAX_COST = 10n ** 15n;

/** What a request used that the gateway answered itself, whatever its response. */
export const amountOfDirect = (unit: LimitUnit): number => (unit === 'requests' ? 1 : 0);

/** What an exchange has used of a unit. If no upstream was called, its request is given back. */
export function amountUsed(unit: LimitUnit, { usage, cost, attempts }: Outcome): number {
  if (unit === 'requests') return attempts.length > 0 ? 1 : 0;
  if (usage === undefined) return 0;
  switch (unit) {
    case 'inputTokens':
      return Math.min(inputTotal(usage), MAX_TOKENS);
    case 'outputTokens':
      return Math.min(usage.output, MAX_TOKENS);
    case 'tokens':
      return Math.min(inputTotal(usage) + usage.output, MAX_TOKENS);
    case 'images':
    case 'seconds':
    case 'characters':
      return Math.min(Math.ceil(usage.units?.[unit] ?? 0), MAX_TOKENS);
    case 'cost':
      return cost === undefined ? 0 : Number(cost > MAX_COST ? MAX_COST : cost);
    case 'concurrent':
      return 0;
  }
}
