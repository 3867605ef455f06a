import { expect } from 'chai';
import { stopSequencesFit } from '../../../core/fits/stop-sequences.ts';
import { createProfile, createRequest, namesOf, runFit } from './samples.ts';

describe('stop-sequences fit', () => {
  it('leaves stop sequences out where the target has none, under the client’s name for them', () => {
    const { request, losses } = runFit(stopSequencesFit, createRequest({ stop: ['END'], wire: 'messages' }), createProfile({ stop: false }));
    expect(request.stop).to.equal(undefined);
    expect(namesOf(losses)).to.deep.equal(['stop_sequences dropped']);
  });

  it('leaves them in where they are taken', () => {
    expect(runFit(stopSequencesFit, createRequest({ stop: ['END'] }), createProfile()).fitted).to.equal(undefined);
  });
});
