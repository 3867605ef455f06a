import type { Lose } from '../canonical/loss.ts';
import type { GenerateRequest, Reasoning } from '../canonical/request.ts';
import type { WireName } from '../canonical/wire.ts';
import type { TargetProfile } from '../contracts/codec.ts';
import { defineFit } from '../contracts/fit.ts';
import { budgetOfEffort, closestEffort, effortOfBudget, findBudgetRange } from './effort.ts';
import { describeField } from './field-name.ts';
import { isThinking, isThinkingOff } from './thinking.ts';

/** Wires that can say an effort but no budget, whatever the model behind them knows. */
const wiresWithoutBudget: ReadonlySet<WireName> = new Set(['chat-completions', 'responses']);

type Control = 'nothing' | 'budget' | 'effort' | 'either';

/** How thinking is asked for at this target. */
const controlOf = ({ capabilities: { thinking, efforts }, wire }: TargetProfile): Control => {
  if (thinking === 'none') return 'nothing';
  if (thinking === 'budget' && !wiresWithoutBudget.has(wire)) return 'budget';
  if (efforts?.length === 0 && thinking !== 'budget') return 'nothing';
  return thinking !== undefined || efforts !== undefined || wiresWithoutBudget.has(wire) ? 'effort' : 'either';
};

interface Asked {
  readonly request: GenerateRequest;
  readonly reasoning: Reasoning;
  readonly profile: TargetProfile;
  readonly lose: Lose;
  /** The client's names. */
  readonly effortField: string;
  readonly budgetField: string;
}

/** What the target is asked instead: one of effort and budget, or neither. */
type Answer = Pick<Reasoning, 'effort' | 'budget'>;

const dropReasoning = ({ request, reasoning, lose, effortField, budgetField }: Asked): Answer => {
  if (isThinking(request)) lose(reasoning.effort === undefined ? budgetField : effortField, 'dropped', 'the model does not think on request');
  return {};
};

/** Is there a word for "do not think" at this target? */
const canSwitchOff = ({ efforts, thinking, thinkingOff }: TargetProfile['capabilities']): boolean => {
  if (thinkingOff !== undefined) return thinkingOff;
  return efforts === undefined || efforts.includes('none') || thinking === 'adaptive';
};

const askEffort = ({ request, reasoning, profile: { capabilities }, lose, effortField, budgetField }: Asked): Answer => {
  const { effort, budget } = reasoning;
  if (isThinkingOff(request)) {
    if (canSwitchOff(capabilities)) return { effort: 'none' };
    lose(budget === 0 ? budgetField : effortField, 'approximated', 'thinking cannot be switched off: it was set to the least the model knows');
    return { effort: closestEffort('minimal', capabilities.efforts ?? ['low']) };
  }
  if (budget !== undefined) lose(budgetField, 'approximated', 'the target takes an effort, not a number of tokens');
  const wanted = effort ?? effortOfBudget(budget ?? 0, request.maxTokens ?? capabilities.maxOutput);
  const known = closestEffort(wanted, capabilities.efforts);
  if (known !== wanted && effort !== undefined) lose(effortField, 'approximated', `'${effort}' is not an effort of this model: '${known}' was sent`);
  return { effort: known };
};

const askBudget = ({ request, reasoning, profile: { capabilities, wire }, lose, effortField, budgetField }: Asked): Answer => {
  const { effort, budget } = reasoning;
  const field = effort === undefined ? budgetField : effortField;
  const cap = request.maxTokens ?? capabilities.maxOutput;
  const range = findBudgetRange(request.maxTokens, capabilities, wire);
  const off = capabilities.thinkingOff === false ? {} : { budget: 0 };
  if (isThinkingOff(request)) {
    if (capabilities.thinkingOff !== false) return off;
    lose(field, 'approximated', 'thinking cannot be switched off: it was set to the least the model knows');
    return range === undefined ? off : { budget: range.least };
  }
  if (range === undefined) {
    lose(field, 'dropped', 'the output cap leaves no room for thinking');
    return off;
  }
  const fitted = Math.min(range.most, Math.max(range.least, budget ?? budgetOfEffort(effort ?? 'medium', cap)));
  if (effort !== undefined) lose(effortField, 'approximated', 'the target takes a number of tokens, not an effort');
  if (budget !== undefined && fitted !== budget) lose(budgetField, 'approximated', `set to ${fitted}, to fit the output cap and what the target takes`);
  return { budget: fitted };
};

/** Nothing is known of the target, and its wire can say both: one of them goes out, as it came. */
const askEither = ({ request, reasoning: { effort, budget }, lose, effortField }: Asked): Answer => {
  if (effort === undefined || budget === undefined) return { effort, budget };
  if (isThinkingOff(request)) return { budget: 0 };
  lose(effortField, 'dropped', 'an explicit number of tokens was given as well');
  return { budget };
};

const askers: Readonly<Record<Control, (asked: Asked) => Answer>> = { nothing: dropReasoning, budget: askBudget, effort: askEffort, either: askEither };

/**
 * Effort and budget, each turned into what the target understands. Behind this fit a request says exactly one of them, or neither.
 * Needs the output cap: thinking is paid out of it.
 */
export const reasoningFit = defineFit({
  name: 'reasoning',
  fit(request, profile, { lose }) {
    const { reasoning, wire } = request;
    if (reasoning === undefined) return undefined;
    const control = controlOf(profile);
    if (control !== 'nothing' && reasoning.effort === undefined && reasoning.budget === undefined) return undefined;
    const { effort, budget } = askers[control]({
      request,
      reasoning,
      profile,
      lose,
      effortField: describeField(wire, 'effort'),
      budgetField: describeField(wire, 'budget'),
    });
    if (effort === reasoning.effort && budget === reasoning.budget && control !== 'nothing') return undefined;
    if (control === 'nothing') return { request: { ...request, reasoning: undefined } };
    const said = { ...(effort === undefined ? {} : { effort }), ...(budget === undefined ? {} : { budget }) };
    return { request: { ...request, reasoning: { ...said, ...(reasoning.show === undefined ? {} : { show: reasoning.show }) } } };
  },
});
