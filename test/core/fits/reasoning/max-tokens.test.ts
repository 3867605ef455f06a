import { expect } from 'chai';
import { maxTokensFit } from '../../../../core/fits/reasoning/max-tokens.ts';
import { createProfile, createRequest, namesOf, runFit } from '../samples.ts';

describe('max-tokens fit', () => {
  it('adds the output cap that the wire requires: the model’s maximum, or 4,096 if unknown', () => {
    const known = runFit(maxTokensFit, createRequest(), createProfile({ maxOutput: 64_000 }));
    expect(known.request.maxTokens).to.equal(64_000);
    expect(namesOf(known.losses)).to.deep.equal(['max_tokens injected']);
    expect(runFit(maxTokensFit, createRequest(), createProfile()).request.maxTokens).to.equal(4_096);
  });

  it('adds no output cap if the wire does not require one', () => {
    expect(
      runFit(maxTokensFit, createRequest(), createProfile({ maxOutput: 64_000 }, { wire: 'chat-completions' })).fitted,
    ).to.equal(undefined);
  });

  it('leaves the output cap to the vendor of the client’s wire, as the native lane does', () => {
    for (const maxTokens of [1, 9_000_000])
      expect(
        runFit(maxTokensFit, createRequest({ maxTokens, wire: 'messages' }), createProfile({ maxOutput: 8_192 }))
          .fitted,
      ).to.equal(undefined);
  });

  it('lowers an output cap above the model’s maximum, and reports it under the client’s name', () => {
    const { request, losses } = runFit(
      maxTokensFit,
      createRequest({ maxTokens: 9_000, wire: 'responses' }),
      createProfile({ maxOutput: 8_192 }),
    );
    expect(request.maxTokens).to.equal(8_192);
    expect(namesOf(losses)).to.deep.equal(['max_output_tokens approximated']);
    expect(
      runFit(maxTokensFit, createRequest({ maxTokens: 8_192 }), createProfile({ maxOutput: 8_192 })).fitted,
    ).to.equal(undefined);
  });
});
