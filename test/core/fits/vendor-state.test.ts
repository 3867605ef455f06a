import { expect } from 'chai';
import type { Part, Turn } from '../../../core/api/index.ts';
import { vendorStateFit } from '../../../core/fits/vendor-state.ts';
import { catchError, createProfile, createRequest, runFit } from './samples.ts';

describe('vendor-state fit', () => {
  const request = createRequest({ vendorState: ['previous_response_id', 'conversation'] });

  it('refuses a reference to vendor state on another wire, with the path of the member', () => {
    const error = catchError(() => runFit(vendorStateFit, request, createProfile()));
    expect(error).to.include({ code: 'unsupported_parameter', param: 'previous_response_id' });
    expect(error.message).to.include('previous_response_id').and.include('model-1');
  });

  it("refuses it at a server of the client's wire that stores nothing", () => {
    const stateless = createProfile({}, { wire: request.wire, stateless: true });
    const error = catchError(() => runFit(vendorStateFit, request, stateless));
    expect(error).to.include({ code: 'unsupported_parameter', param: 'previous_response_id' });
    expect(runFit(vendorStateFit, createRequest({}), stateless).fitted).to.equal(undefined);
  });

  it('refuses what only a vendor of the wire can do, on another wire only', () => {
    const own = createRequest({ vendorOnly: [{ field: 'moderation', what: 'the moderation of its content' }] });
    const error = catchError(() => runFit(vendorStateFit, own, createProfile()));
    expect(error).to.include({ code: 'unsupported_parameter', param: 'moderation' });
    expect(error.message).to.include('the moderation of its content').and.include('model-1');
    const stateless = createProfile({}, { wire: own.wire, stateless: true });
    expect(runFit(vendorStateFit, own, stateless).fitted).to.equal(undefined);
  });

  it('removes members of calls that only their wire has, and names them', () => {
    const call = { type: 'tool-call', id: '1', name: 'f', kind: 'function', input: '{}' } as const;
    const turnOf = (part: Part): Turn => ({ role: 'assistant', parts: [part] });
    const turns = [turnOf({ ...call, extra: { wire: 'responses', members: { async: true } } })];
    const { request: fitted, losses } = runFit(vendorStateFit, createRequest({ turns }), createProfile());
    expect(fitted.turns).to.deep.equal([turnOf(call)]);
    expect(losses.map(({ field, kind }) => `${field} ${kind}`)).to.deep.equal(['messages.async dropped']);
    expect(runFit(vendorStateFit, fitted, createProfile()).fitted).to.equal(undefined);
  });

  it('accepts a reference to vendor state on its own wire, and everything else on every wire', () => {
    expect(runFit(vendorStateFit, request, createProfile({}, { wire: request.wire })).fitted).to.equal(undefined);
    expect(runFit(vendorStateFit, createRequest({ vendorState: [] }), createProfile()).fitted).to.equal(undefined);
    expect(runFit(vendorStateFit, createRequest({}), createProfile()).fitted).to.equal(undefined);
  });
});
