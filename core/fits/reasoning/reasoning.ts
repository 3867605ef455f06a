import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Lose } from '../../canonical/loss.ts';
import type { GenerateRequest, Reasoning } from '../../canonical/request.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { defineFit } from '../../contracts/fit.ts';
import { budgetOfEffort, canSwitchOff, chooseEffort, findBudgetRange } from './effort.ts';
import { describeField } from '../support/field-name.ts';
import { mostTokens } from './max-tokens.ts';
import { isThinking, isThinkingOff } from './thinking.ts';

type Control = 'nothing' | 'budget' | 'effort' | 'either';

/** How reasoning is controlled at this target. */
const controlOf = ({ capabilities: { thinking, efforts }, traits, budgetMember }: TargetProfile): Control => {
  const effortOnly = traits.effortOnly === true && budgetMember === undefined;
  if (thinking === 'none') return 'nothing';
  if (thinking === 'budget' && !effortOnly) return 'budget';
  if (efforts?.length === 0 && thinking !== 'budget') return 'nothing';
  if (budgetMember !== undefined) return 'either';
  return thinking !== undefined || efforts !== undefined || effortOnly ? 'effort' : 'either';
};

interface Requested {
  readonly request: GenerateRequest;
  readonly reasoning: Reasoning;
  readonly profile: TargetProfile;
  readonly lose: Lose;
  /** The client's names. */
  readonly effortField: string;
  readonly budgetField: string;
}

/** What is sent: an effort, a budget, or neither. */
type SentReasoning = Pick<Reasoning, 'effort' | 'budget'>;

const dropReasoning = ({ request, reasoning, profile, lose, effortField, budgetField }: Requested): SentReasoning => {
  const field = reasoning.effort === undefined ? budgetField : effortField;
  if (isThinking(request)) lose(field, 'dropped', 'the model does not think on request');
  else if (isThinkingOff(request) && profile.capabilities.thinkingOff === false)
    lose(field, 'dropped', 'the model cannot be asked not to think');
  return {};
};

const sendEffort = ({
  request,
  reasoning,
  profile: { capabilities },
  lose,
  effortField,
  budgetField,
}: Requested): SentReasoning => {
  const { effort, budget } = reasoning;
  const chosen = chooseEffort(request, capabilities);
  if (isThinkingOff(request)) {
    if (!canSwitchOff(capabilities))
      lose(
        budget === 0 ? budgetField : effortField,
        'approximated',
        'thinking cannot be switched off: it was set to the minimum of the model',
      );
    return { effort: chosen };
  }
  if (budget !== undefined) lose(budgetField, 'approximated', 'the target accepts an effort, not a number of tokens');
  if (effort !== undefined && chosen !== effort)
    lose(effortField, 'approximated', `'${effort}' is not an effort of this model: '${chosen}' was sent`);
  return { effort: chosen };
};

const sendBudget = ({ request, reasoning, profile, lose, effortField, budgetField }: Requested): SentReasoning => {
  const { effort, budget } = reasoning;
  const { capabilities } = profile;
  const field = effort === undefined ? budgetField : effortField;
  const range = findBudgetRange(request.maxTokens, profile);
  const off = capabilities.thinkingOff === false ? {} : { budget: 0 };
  if (isThinkingOff(request)) {
    if (capabilities.thinkingOff !== false) return off;
    lose(field, 'approximated', 'thinking cannot be switched off: it was set to the minimum of the model');
    return range === undefined ? off : { budget: range.least };
  }
  if (range === undefined) {
    lose(field, 'dropped', 'the output cap leaves no room for thinking');
    return off;
  }
  const fitted = Math.min(
    range.most,
    Math.max(range.least, budget ?? budgetOfEffort(effort ?? 'medium', mostTokens(request, capabilities))),
  );
  if (effort !== undefined) lose(effortField, 'approximated', 'the target accepts a number of tokens, not an effort');
  if (budget !== undefined && fitted !== budget)
    lose(budgetField, 'approximated', `set to ${fitted}, to fit the output cap and the range of the target`);
  return { budget: fitted };
};

/** For a target that has both: one of them is sent, and a number of tokens is not changed. */
const sendEither = (requested: Requested): SentReasoning => {
  const { request, reasoning, lose, effortField } = requested;
  const { effort, budget } = reasoning;
  if (effort === undefined) return { budget };
  if (budget === undefined) return sendEffort(requested);
  if (isThinkingOff(request)) return { budget: 0 };
  lose(effortField, 'dropped', 'an explicit number of tokens was given as well');
  return { budget };
};

const senders: Readonly<Record<Control, (requested: Requested) => SentReasoning>> = {
  nothing: dropReasoning,
  budget: sendBudget,
  effort: sendEffort,
  either: sendEither,
};

/**
 * Converts effort and budget to what the target supports. After this fit a request has one of them, or neither. Runs
 * after the output cap is known, because reasoning counts towards it. A client of the target's wire gets what it would
 * get on the native lane: its own effort or budget.
 */
export const reasoningFit = defineFit({
  name: 'reasoning',
  fit(request, profile, { lose, client }) {
    const { reasoning } = request;
    if (reasoning === undefined || request.wire === profile.wire) return undefined;
    const control = controlOf(profile);
    if (control !== 'nothing' && reasoning.effort === undefined && reasoning.budget === undefined) return undefined;
    const { effort, budget } = senders[control]({
      request,
      reasoning,
      profile,
      lose,
      effortField: describeField(client, 'effort'),
      budgetField: describeField(client, 'budget'),
    });
    if (effort === reasoning.effort && budget === reasoning.budget && control !== 'nothing') return undefined;
    if (control === 'nothing') return { request: { ...request, reasoning: undefined } };
    const sent = omitUndefined({ effort, budget });
    return {
      request: {
        ...request,
        reasoning: { ...sent, ...(reasoning.show === undefined ? {} : { show: reasoning.show }) },
      },
    };
  },
});
