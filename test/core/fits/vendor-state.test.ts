import { expect } from 'chai';
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

  it('accepts a reference to vendor state on its own wire, and everything else on every wire', () => {
    expect(runFit(vendorStateFit, request, createProfile({}, { wire: request.wire })).fitted).to.equal(undefined);
    expect(runFit(vendorStateFit, createRequest({ vendorState: [] }), createProfile()).fitted).to.equal(undefined);
    expect(runFit(vendorStateFit, createRequest({}), createProfile()).fitted).to.equal(undefined);
  });
});
