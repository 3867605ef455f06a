import { expect } from 'chai';
import { prefillFit } from '../../../../core/fits/turns/prefill.ts';
import { assistant, createProfile, createRequest, namesOf, runFit, user } from '../samples.ts';

const begun = createRequest({ turns: [user('a'), assistant('{')] });

describe('prefill fit', () => {
  it('E18 adds a user turn if the model does not continue its own turn', () => {
    const { request, losses } = runFit(prefillFit, begun, createProfile({ prefill: false }));
    expect(request.turns).to.deep.equal([user('a'), assistant('{'), user('Continue.')]);
    expect(namesOf(losses)).to.deep.equal(['messages injected']);
  });

  it('adds a user turn while a model thinks on a wire that forbids both', () => {
    expect(
      runFit(prefillFit, { ...begun, reasoning: { budget: 2_000 } }, createProfile()).request.turns,
    ).to.have.length(3);
    expect(runFit(prefillFit, { ...begun, reasoning: { budget: 0 } }, createProfile()).fitted).to.equal(undefined);
    expect(
      runFit(prefillFit, { ...begun, reasoning: { effort: 'high' } }, createProfile({}, { wire: 'chat-completions' }))
        .fitted,
    ).to.equal(undefined);
  });

  it('keeps a supported prefill, and a conversation that ends with a user turn', () => {
    expect(runFit(prefillFit, begun, createProfile()).fitted).to.equal(undefined);
    expect(runFit(prefillFit, createRequest(), createProfile({ prefill: false })).fitted).to.equal(undefined);
  });
});
