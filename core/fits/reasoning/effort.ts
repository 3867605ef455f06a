import type { GenerateRequest } from '../../canonical/request.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import type { Capabilities } from '../../contracts/capabilities.ts';
import { mostTokens } from './max-tokens.ts';
import { isThinkingOff } from './thinking.ts';

/** The efforts of all vendors, weakest first. */
const ladder = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
type Effort = (typeof ladder)[number];

/** Reasoning share of the output cap, as in the vendors' SDKs; `max` leaves room for an answer. */
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
/** An unknown effort counts as medium. */
const rankOf = (word: string): number => ladder.indexOf(isEffort(word) ? word : 'medium');

interface BudgetRange {
  readonly least: number;
  readonly most: number;
}

/** The minimum of the vendor that introduced budgets; models can have another. */
const MINIMUM_BUDGET = 1_024;
/** The assumed cap if neither the request nor the model has one. */
const ASSUMED_CAP = 24_576;
/** A smaller budget is a low effort, whatever its share. */
const LOW_BUDGET = 2_048;

/**
 * The strongest effort of `known` that is not stronger than `wanted`, otherwise the weakest. Not for `none`, which is
 * not an effort.
 */
const closestEffort = (wanted: string, known: readonly string[] | undefined): string => {
  if (known === undefined || known.includes(wanted)) return wanted;
  const efforts = known.filter((effort) => effort !== 'none');
  return efforts.findLast((effort) => rankOf(effort) <= rankOf(wanted)) ?? efforts[0] ?? 'none';
};

/** The reasoning tokens of an effort, for a response of at most `cap` tokens. */
export const budgetOfEffort = (effort: string, cap: number | undefined): number =>
  Math.floor((cap ?? ASSUMED_CAP) * shares[isEffort(effort) ? effort : 'medium']);

/** The effort that corresponds to a budget, for a response of at most `cap` tokens. */
const effortOfBudget = (budget: number, cap: number | undefined): Effort => {
  const share = budget / (cap ?? ASSUMED_CAP);
  if (budget < LOW_BUDGET || share <= 0.15) return 'low';
  if (share <= 0.45) return 'medium';
  return share <= 0.75 ? 'high' : 'xhigh';
};

/** Whether reasoning can be switched off at this target. */
export function canSwitchOff({ efforts, thinking, thinkingOff }: Capabilities): boolean {
  if (thinkingOff !== undefined) return thinkingOff;
  return efforts === undefined || efforts.includes('none') || thinking === 'adaptive';
}

/**
 * Chooses the effort for a target whose wire has no reasoning budget, for both lanes: the client's effort, otherwise
 * the one that corresponds to its budget, as close as the model supports. `none` or a budget of 0 becomes the weakest
 * effort of a model that always thinks.
 * @param request has an effort or a budget
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
 * The budgets that leave room for an answer within `cap` tokens; undefined if not even the smallest does. A budget of 0
 * is not one.
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
