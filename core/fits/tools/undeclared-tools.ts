import type { Turn } from '../../canonical/request.ts';
import type { Tool } from '../../canonical/tool.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';

export const calledNames = (turns: readonly Turn[]): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const { parts } of turns) for (const part of parts) if (part.type === 'tool-call') names.add(part.name);
  return names;
};

const declareTool = (name: string): Tool => ({ name, kind: 'function', schema: { type: 'object', properties: {} } });

/** For clients that omit the tools of their own history: the tools are declared by name, and cannot be called. */
export const undeclaredToolsFit = defineFit({
  name: 'undeclared-tools',
  applies: ({ traits }) => traits.requiresDeclaredTools === true,
  fit(request, _profile, { lose, client }) {
    if (request.tools.length > 0) return undefined;
    const names = calledNames(request.turns);
    if (names.size === 0) return undefined;
    lose(
      describeField(client, 'tools'),
      'injected',
      'the tools of earlier calls were declared; none of them can be called',
    );
    return { request: { ...request, tools: [...names].map(declareTool), toolChoice: { mode: 'none' } } };
  },
});
