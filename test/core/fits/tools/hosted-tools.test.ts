import { expect } from 'chai';
import { hostedToolsFit } from '../../../../core/fits/tools/hosted-tools.ts';
import type { Tool, ToolChoice } from '../../../../core/canonical/tool.ts';
import { catchError, createProfile, createRequest, namesOf, runFit } from '../samples.ts';

const find: Tool = { name: 'find', kind: 'function' };
const search: Tool = {
  name: 'web_search',
  kind: 'hosted',
  vendor: { type: 'web_search_20250305', name: 'web_search' },
};
const interpreter: Tool = { name: 'code_interpreter', kind: 'hosted', vendor: { type: 'code_interpreter' } };

describe('hosted-tools fit', () => {
  const request = createRequest({ tools: [find, search] });

  it('refuses a hosted tool on another wire and names its type', () => {
    const error = catchError(() => runFit(hostedToolsFit, request, createProfile()));
    expect(error).to.include({ code: 'unsupported_parameter', param: 'tools' });
    expect(error.message).to.include('web_search_20250305').and.include('model-1').and.include('hostedTools: drop');
  });

  it('drops all hosted tools by policy, and names them as one loss', () => {
    const { request: sent, losses } = runFit(
      hostedToolsFit,
      createRequest({ tools: [search, find, interpreter], toolChoice: { mode: 'auto' } }),
      createProfile(),
      'drop',
    );
    expect(sent.tools).to.deep.equal([find]);
    expect(sent.toolChoice).to.deep.equal({ mode: 'auto' });
    expect(namesOf(losses)).to.deep.equal(['tools dropped']);
    expect(losses[0]?.detail).to.include('web_search_20250305').and.include('code_interpreter');
  });

  const narrowed: readonly (readonly [string, ToolChoice, ToolChoice])[] = [
    ['a required call of any tool', { mode: 'required' }, { mode: 'required' }],
    [
      'a required call of one of several tools',
      { mode: 'required', only: ['find', 'web_search'] },
      { mode: 'required', only: ['find'] },
    ],
    ['a permission for the dropped tool only', { mode: 'auto', only: ['web_search'] }, { mode: 'none' }],
  ];
  for (const [title, given, left] of narrowed) {
    it(`narrows ${title} to the tools that remain`, () => {
      const chosen = createRequest({ tools: [find, search], toolChoice: given });
      expect(runFit(hostedToolsFit, chosen, createProfile(), 'drop').request.toolChoice).to.deep.equal(left);
    });
  }

  for (const [title, tools, toolChoice] of [
    ['names it', [find, search], { mode: 'required', only: ['web_search'] }],
    ['leaves no other tool', [search], { mode: 'required' }],
  ] as const) {
    it(`refuses to drop a tool if the choice ${title}`, () => {
      const forced = createRequest({ tools, toolChoice });
      const error = catchError(() => runFit(hostedToolsFit, forced, createProfile(), 'drop'));
      expect(error).to.include({ code: 'unsupported_parameter', param: 'tool_choice' });
      expect(error.message).to.include('web_search_20250305').and.include('required');
    });
  }

  it('accepts a hosted tool on its own wire, and other tools everywhere', () => {
    for (const policy of ['drop', 'refuse'] as const) {
      const own = createProfile({}, { wire: 'chat-completions' });
      expect(runFit(hostedToolsFit, request, own, policy).fitted).to.equal(undefined);
      expect(runFit(hostedToolsFit, createRequest({ tools: [find] }), createProfile(), policy).fitted).to.equal(
        undefined,
      );
    }
  });
});
