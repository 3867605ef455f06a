import type { Turn } from '../../canonical/request.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { isThinking } from '../reasoning/thinking.ts';

const goOn: Turn = { role: 'user', parts: [{ type: 'text', text: 'Continue.' }] };

/**
 * For conversations that end with an assistant turn, at models that do not continue it: appends a user turn that
 * requests it.
 */
export const prefillFit = defineFit({
  name: 'prefill',
  applies: ({ capabilities, traits }) => capabilities.prefill === false || traits.strictThinking === true,
  fit(request, { capabilities }, { lose, client }) {
    const refused = capabilities.prefill === false || isThinking(request);
    if (!refused || request.turns.at(-1)?.role !== 'assistant') return undefined;
    lose(
      describeField(client, 'conversation'),
      'injected',
      'the model does not continue its own last turn: a user turn was added',
    );
    return { request: { ...request, turns: [...request.turns, goOn] } };
  },
});
