import type { GenerateRequest } from '../../canonical/request.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import type { Capabilities } from '../../contracts/capabilities.ts';
import { mostTokens } from './max-tokens.ts';
import { isThinkingOff } from './thinking.ts';

/** The efforts of all vendors, weakest first. */
const ladder = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
type Effort = (typeof ladder)[number];

/**
 * Shares of the output cap that thinking may take, as the vendors' own SDKs convert them; `max` leaves room for an
 * answer.
 */
const shares: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 0.02,
  low: 0.1,
  medium: 0.3,
  high: 0.6,
  xhigh: 0.9,
  max: 0.95,
};

const isEffort = (word: string): word is Effort => Object.hasOwn(shares, word);
/** An unknown effort counts as the middle one. */
const rankOf = (word: string): number => ladder.indexOf(isEffort(word) ? word : 'medium');

/** Fewest and most tokens a model can be told to think. */
export interface BudgetRange {
  readonly least: number;
  readonly most: number;
}

/** The least of the vendor that introduced budgets; others say theirs. */
const MINIMUM_BUDGET = 1_024;
/** The cap that shares are taken of, where neither the request nor the model has one. */
const ASSUMED_CAP = 24_576;
/** Below it a budget is a low effort, whatever its share. */
const LOW_BUDGET = 2_048;

/**
 * The strongest effort of `known` that is not stronger than `wanted`, else the weakest. `none` is no effort: it is not
 * answered here.
 */
const closestEffort = (wanted: string, known: readonly string[] | undefined): string => {
  if (known === undefined || known.includes(wanted)) return wanted;
  const efforts = known.filter((effort) => effort !== 'none');
  return efforts.findLast((effort) => rankOf(effort) <= rankOf(wanted)) ?? efforts[0] ?? 'none';
};

/** How many tokens an effort may think, of an answer of at most `cap` tokens. */
export const budgetOfEffort = (effort: string, cap: number | undefined): number =>
  Math.floor((cap ?? ASSUMED_CAP) * shares[isEffort(effort) ? effort : 'medium']);

/** The effort that a budget amounts to, of an answer of at most `cap` tokens. */
const effortOfBudget = (budget: number, cap: number | undefined): Effort => {
  const share = budget / (cap ?? ASSUMED_CAP);
  if (budget < LOW_BUDGET || share <= 0.15) return 'low';
  if (share <= 0.45) return 'medium';
  return share <= 0.75 ? 'high' : 'xhigh';
};

/** Is there a word for "do not think" at this target? */
export function canSwitchOff({ efforts, thinking, thinkingOff }: Capabilities): boolean {
  if (thinkingOff !== undefined) return thinkingOff;
  return efforts === undefined || efforts.includes('none') || thinking === 'adaptive';
}

/**
 * The effort that a target is asked for where its wire has no member for a number of tokens, one rule for both lanes:
 * the client's own effort, else the one that its budget amounts to, as near as the model has it. `none` or a budget of
 * 0 is the least of a model that always thinks.
 * @param request what the client asked for; an effort or a budget is set
 */
export function chooseEffort(
  request: Pick<GenerateRequest, 'reasoning' | 'maxTokens'>,
  capabilities: Capabilities,
): string {
  const { efforts } = capabilities;
  if (isThinkingOff(request)) return canSwitchOff(capabilities) ? 'none' : closestEffort('minimal', efforts ?? ['low']);
  const { effort, budget = 0 } = request.reasoning ?? {};
  return closestEffort(effort ?? effortOfBudget(budget, mostTokens(request, capabilities)), efforts);
}

/**
 * What a budget may be that leaves room for an answer within `cap` tokens; `undefined` when not even the least does. A
 * budget of 0 is none.
 */
export function findBudgetRange(
  cap: number | undefined,
  { capabilities: { minBudget, maxBudget }, traits }: TargetProfile,
): BudgetRange | undefined {
  const ceiling = maxBudget ?? traits.usualMaxBudget ?? Number.POSITIVE_INFINITY;
  const least = Math.max(Math.min(minBudget ?? MINIMUM_BUDGET, ceiling), 1);
  if (cap === undefined) return { least, most: ceiling };
  return cap <= least ? undefined : { least, most: Math.max(least, Math.min(ceiling, Math.floor(cap * shares.max))) };
}
