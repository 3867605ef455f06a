import { expect } from 'chai';
import { vendorStateFit } from '../../../core/fits/vendor-state.ts';
import { catchError, createProfile, createRequest, runFit } from './samples.ts';

describe('vendor-state fit', () => {
  const request = createRequest({ vendorState: ['previous_response_id', 'conversation'] });

  it('refuses on another wire what refers to something kept at the vendor, naming the member', () => {
    const error = catchError(() => runFit(vendorStateFit, request, createProfile()));
    expect(error).to.include({ code: 'unsupported_parameter', param: 'previous_response_id' });
    expect(error.message).to.include('previous_response_id').and.include('model-1');
  });

  it('lets it pass on its own wire, and everything else everywhere', () => {
    expect(runFit(vendorStateFit, request, createProfile({}, { wire: request.wire })).fitted).to.equal(undefined);
    expect(runFit(vendorStateFit, createRequest({ vendorState: [] }), createProfile()).fitted).to.equal(undefined);
    expect(runFit(vendorStateFit, createRequest({}), createProfile()).fitted).to.equal(undefined);
  });
});
