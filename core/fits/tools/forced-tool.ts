import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { canForceTool } from './forcing.ts';

/**
 * For calls that cannot be forced: the model chooses, among the named tools only. Without tools there is nothing to
 * choose, and vendors refuse a choice; it is a loss only if a call was required.
 */
export const forcedToolFit = defineFit({
  name: 'forced-tool',
  fit(request, { capabilities }, { lose, client }) {
    const { tools, toolChoice, parallelTools } = request;
    if (tools.length === 0) {
      if (toolChoice === undefined && parallelTools === undefined) return undefined;
      if (toolChoice?.mode === 'required')
        lose(describeField(client, 'toolChoice'), 'dropped', 'there are no tools to choose from');
      return { request: { ...request, toolChoice: undefined, parallelTools: undefined } };
    }
    if (toolChoice?.mode !== 'required' || canForceTool(request, capabilities)) return undefined;
    lose(
      describeField(client, 'toolChoice'),
      'approximated',
      'the model cannot be forced to call a tool: it chooses whether to call one of the named tools',
    );
    const only = toolChoice.only === undefined ? undefined : new Set(toolChoice.only);
    const named = only === undefined ? tools : tools.filter(({ name }) => only.has(name));
    return { request: { ...request, tools: named.length === 0 ? tools : named, toolChoice: { mode: 'auto' } } };
  },
});
