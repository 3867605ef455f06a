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

/** How thinking is asked for at this target. */
const controlOf = ({ capabilities: { thinking, efforts }, traits: { effortOnly = false } }: TargetProfile): Control => {
  if (thinking === 'none') return 'nothing';
  if (thinking === 'budget' && !effortOnly) return 'budget';
  if (efforts?.length === 0 && thinking !== 'budget') return 'nothing';
  return thinking !== undefined || efforts !== undefined || effortOnly ? 'effort' : 'either';
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
  if (isThinking(request))
    lose(reasoning.effort === undefined ? budgetField : effortField, 'dropped', 'the model does not think on request');
  return {};
};

const askEffort = ({
  request,
  reasoning,
  profile: { capabilities },
  lose,
  effortField,
  budgetField,
}: Asked): Answer => {
  const { effort, budget } = reasoning;
  const chosen = chooseEffort(request, capabilities);
  if (isThinkingOff(request)) {
    if (!canSwitchOff(capabilities))
      lose(
        budget === 0 ? budgetField : effortField,
        'approximated',
        'thinking cannot be switched off: it was set to the least the model knows',
      );
    return { effort: chosen };
  }
  if (budget !== undefined) lose(budgetField, 'approximated', 'the target takes an effort, not a number of tokens');
  if (effort !== undefined && chosen !== effort)
    lose(effortField, 'approximated', `'${effort}' is not an effort of this model: '${chosen}' was sent`);
  return { effort: chosen };
};

const askBudget = ({ request, reasoning, profile, lose, effortField, budgetField }: Asked): Answer => {
  const { effort, budget } = reasoning;
  const { capabilities } = profile;
  const field = effort === undefined ? budgetField : effortField;
  const range = findBudgetRange(request.maxTokens, profile);
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
  const fitted = Math.min(
    range.most,
    Math.max(range.least, budget ?? budgetOfEffort(effort ?? 'medium', mostTokens(request, capabilities))),
  );
  if (effort !== undefined) lose(effortField, 'approximated', 'the target takes a number of tokens, not an effort');
  if (budget !== undefined && fitted !== budget)
    lose(budgetField, 'approximated', `set to ${fitted}, to fit the output cap and what the target takes`);
  return { budget: fitted };
};

/** Nothing is known of the target, and its wire can say both: one of them goes out, as it came. */
const askEither = ({ request, reasoning: { effort, budget }, lose, effortField }: Asked): Answer => {
  if (effort === undefined || budget === undefined) return { effort, budget };
  if (isThinkingOff(request)) return { budget: 0 };
  lose(effortField, 'dropped', 'an explicit number of tokens was given as well');
  return { budget };
};

const askers: Readonly<Record<Control, (asked: Asked) => Answer>> = {
  nothing: dropReasoning,
  budget: askBudget,
  effort: askEffort,
  either: askEither,
};

/**
 * Effort and budget, each turned into what the target understands. Behind this fit a request says exactly one of them, or neither.
 * Needs the output cap: thinking is paid out of it.
 */
export const reasoningFit = defineFit({
  name: 'reasoning',
  fit(request, profile, { lose, client }) {
    const { reasoning } = request;
    if (reasoning === undefined) return undefined;
    const control = controlOf(profile);
    if (control !== 'nothing' && reasoning.effort === undefined && reasoning.budget === undefined) return undefined;
    const { effort, budget } = askers[control]({
      request,
      reasoning,
      profile,
      lose,
      effortField: describeField(client, 'effort'),
      budgetField: describeField(client, 'budget'),
    });
    if (effort === reasoning.effort && budget === reasoning.budget && control !== 'nothing') return undefined;
    if (control === 'nothing') return { request: { ...request, reasoning: undefined } };
    const said = omitUndefined({ effort, budget });
    return {
      request: {
        ...request,
        reasoning: { ...said, ...(reasoning.show === undefined ? {} : { show: reasoning.show }) },
      },
    };
  },
});
