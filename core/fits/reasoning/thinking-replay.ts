import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { isThinking } from './thinking.ts';

/**
 * With a thinking budget, a last assistant turn with calls has to start with its reasoning. If that is missing (another
 * provider produced it, or the client did not send it back), this one request is sent without thinking instead of
 * ending in a 400.
 * @see https://docs.claude.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks
 */
export const thinkingReplayFit = defineFit({
  name: 'thinking-replay',
  applies: ({ capabilities: { thinking, thinkingOff }, traits }) =>
    thinking === 'budget' && thinkingOff !== false && traits.strictThinking === true,
  fit(request, _profile, { lose, client }) {
    if (!isThinking(request)) return undefined;
    const parts = request.turns.findLast(({ role }) => role === 'assistant')?.parts ?? [];
    if (parts[0]?.type === 'reasoning' || !parts.some(({ type }) => type === 'tool-call')) return undefined;
    lose(
      describeField(client, 'budget'),
      'dropped',
      'thinking is off for this request: the reasoning before the last tool call was not sent back',
    );
    return { request: { ...request, reasoning: { ...request.reasoning, effort: undefined, budget: 0 } } };
  },
});
