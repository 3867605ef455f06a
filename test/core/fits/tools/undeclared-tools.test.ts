import { expect } from 'chai';
import { undeclaredToolsFit } from '../../../../core/fits/tools/undeclared-tools.ts';
import { assistant, call, createProfile, createRequest, namesOf, result, runFit, user } from '../samples.ts';

const request = createRequest({
  turns: [
    user('a'),
    assistant(call('1', 'f'), call('2', 'f'), call('3', 'g')),
    user(result('1'), result('2'), result('3')),
  ],
});

describe('undeclared-tools fit', () => {
  it('declares each tool of the history once, and forbids calls', () => {
    const { request: fitted, losses } = runFit(undeclaredToolsFit, request, createProfile());
    expect(fitted.tools.map(({ name }) => name)).to.deep.equal(['f', 'g']);
    expect(fitted.toolChoice).to.deep.equal({ mode: 'none' });
    expect(namesOf(losses)).to.deep.equal(['tools injected']);
  });

  it('keeps requests with declared tools, without calls, or for a wire that does not require declarations', () => {
    expect(
      runFit(undeclaredToolsFit, { ...request, tools: [{ name: 'x', kind: 'function' }] }, createProfile()).fitted,
    ).to.equal(undefined);
    expect(runFit(undeclaredToolsFit, createRequest(), createProfile()).fitted).to.equal(undefined);
    expect(runFit(undeclaredToolsFit, request, createProfile({}, { wire: 'responses' })).fitted).to.equal(undefined);
  });
});
