import { expect } from 'chai';
import { samplingFit } from '../../../../core/fits/reasoning/sampling.ts';
import { createProfile, createRequest, namesOf, runFit } from '../samples.ts';

const request = createRequest({ temperature: 1.7, topP: 0.5, topK: 4 });

describe('sampling fit', () => {
  it('removes every sampling parameter by name if the model supports none', () => {
    const { request: fitted, losses } = runFit(
      samplingFit,
      request,
      createProfile({ sampling: false, maxTemperature: 1 }),
    );
    expect(fitted).to.include({ temperature: undefined, topP: undefined, topK: undefined });
    expect(namesOf(losses)).to.deep.equal(['temperature dropped', 'top_p dropped', 'top_k dropped']);
  });

  it('lowers a temperature above the maximum', () => {
    const { request: fitted, losses } = runFit(samplingFit, request, createProfile({ maxTemperature: 1 }));
    expect(fitted).to.include({ temperature: 1, topP: 0.5, topK: 4 });
    expect(namesOf(losses)).to.deep.equal(['temperature approximated']);
  });

  it('removes top_p beside a temperature if the two exclude each other', () => {
    const exclusive = createProfile({ temperatureWithTopP: false });
    expect(runFit(samplingFit, request, exclusive).request).to.include({ temperature: 1.7, topP: undefined, topK: 4 });
    expect(runFit(samplingFit, createRequest({ topP: 0.5 }), exclusive).fitted).to.equal(undefined);
  });

  it('keeps only default sampling while a model thinks on a wire that requires it', () => {
    const thinking = { ...request, reasoning: { budget: 2_000 } };
    expect(runFit(samplingFit, thinking, createProfile()).request).to.include({
      temperature: undefined,
      topP: undefined,
      topK: undefined,
    });
    expect(runFit(samplingFit, thinking, createProfile({ maxTemperature: 1 })).request).to.include({
      temperature: 1,
      topP: undefined,
    });
    expect(
      runFit(samplingFit, { ...thinking, temperature: 1, topP: 0.95, topK: undefined }, createProfile()).fitted,
    ).to.equal(undefined);
    expect(runFit(samplingFit, thinking, createProfile({}, { wire: 'chat-completions' })).fitted).to.equal(undefined);
  });

  it('changes no sampling parameter if all are supported or none is set', () => {
    expect(runFit(samplingFit, request, createProfile()).fitted).to.equal(undefined);
    expect(runFit(samplingFit, createRequest(), createProfile({ sampling: false })).fitted).to.equal(undefined);
  });
});
