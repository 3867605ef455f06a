import { expect } from 'chai';
import { hostedToolsFit } from '../../../../core/fits/tools/hosted-tools.ts';
import { catchError, createProfile, createRequest, runFit } from '../samples.ts';

describe('hosted-tools fit', () => {
  const request = createRequest({
    tools: [
      { name: 'find', kind: 'function' },
      { name: 'web_search', kind: 'hosted', vendor: { type: 'web_search_20250305', name: 'web_search' } },
    ],
  });

  it('refuses a hosted tool on another wire and names its type', () => {
    const error = catchError(() => runFit(hostedToolsFit, request, createProfile()));
    expect(error).to.include({ code: 'unsupported_parameter', param: 'tools' });
    expect(error.message).to.include('web_search_20250305').and.include('model-1');
  });

  it('accepts a hosted tool on its own wire, and other tools everywhere', () => {
    expect(runFit(hostedToolsFit, request, createProfile({}, { wire: 'chat-completions' })).fitted).to.equal(undefined);
    expect(
      runFit(hostedToolsFit, createRequest({ tools: [{ name: 'find', kind: 'function' }] }), createProfile()).fitted,
    ).to.equal(undefined);
  });
});
