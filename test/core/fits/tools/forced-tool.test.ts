import { expect } from 'chai';
import type { Tool } from '../../../../core/canonical/tool.ts';
import { forcedToolFit } from '../../../../core/fits/tools/forced-tool.ts';
import { createProfile, createRequest, namesOf, runFit } from '../samples.ts';

const tools: readonly Tool[] = ['a', 'b', 'c'].map((name) => ({ name, kind: 'function' }));
const forced = createRequest({ tools, toolChoice: { mode: 'required', only: ['b'] } });
const thinking = { ...forced, reasoning: { effort: 'high' } };

describe('forced-tool fit', () => {
  it('E21 lets the model choose among the named tools if a call cannot be forced', () => {
    const { request, losses } = runFit(forcedToolFit, forced, createProfile({ forcedTool: false }));
    expect(request.toolChoice).to.deep.equal({ mode: 'auto' });
    expect(request.tools.map(({ name }) => name)).to.deep.equal(['b']);
    expect(namesOf(losses)).to.deep.equal(['tool_choice approximated']);
  });

  it('keeps all tools if none of the named tools is declared', () => {
    const profile = createProfile({ forcedTool: false });
    expect(
      runFit(forcedToolFit, { ...forced, toolChoice: { mode: 'required' } }, profile).request.tools,
    ).to.have.length(3);
    expect(
      runFit(forcedToolFit, { ...forced, toolChoice: { mode: 'required', only: ['z'] } }, profile).request.tools,
    ).to.have.length(3);
  });

  it('E21 forces a call while the model does not think, if only thinking prevents it', () => {
    const profile = createProfile({ forcedTool: 'not-with-thinking' });
    expect(runFit(forcedToolFit, forced, profile).fitted).to.equal(undefined);
    expect(runFit(forcedToolFit, { ...forced, reasoning: { budget: 0 } }, profile).fitted).to.equal(undefined);
    expect(runFit(forcedToolFit, thinking, profile).request.toolChoice).to.deep.equal({ mode: 'auto' });
    expect(runFit(forcedToolFit, thinking, createProfile()).fitted).to.equal(undefined);
  });

  it('keeps a tool choice that forbids calls', () => {
    expect(
      runFit(forcedToolFit, { ...forced, toolChoice: { mode: 'none' } }, createProfile({ forcedTool: false })).fitted,
    ).to.equal(undefined);
  });

  it('drops a tool choice without tools on every target', () => {
    const { request, losses } = runFit(
      forcedToolFit,
      createRequest({ toolChoice: { mode: 'required' }, parallelTools: false }),
      createProfile(),
    );
    expect(request).to.include({ toolChoice: undefined, parallelTools: undefined });
    expect(namesOf(losses)).to.deep.equal(['tool_choice dropped']);
  });

  it('reports no loss for a choice without effect if there is no tool', () => {
    for (const mode of ['auto', 'none'] as const) {
      const { request, losses } = runFit(
        forcedToolFit,
        createRequest({ toolChoice: { mode }, parallelTools: true }),
        createProfile(),
      );
      expect(request).to.include({ toolChoice: undefined, parallelTools: undefined });
      expect(losses).to.deep.equal([]);
    }
  });
});
