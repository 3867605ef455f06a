import { expect } from 'chai';
import type { Part } from '../../../../core/canonical/part.ts';
import type { Origin } from '../../../../core/canonical/proof.ts';
import { foreignProofsFit } from '../../../../core/fits/reasoning/foreign-proofs.ts';
import { assistant, call, createProfile, createRequest, namesOf, runFit, text, user } from '../samples.ts';

const here: Origin = { provider: 'there', family: 'family-1' };
const elsewhere: Origin = { provider: 'elsewhere', family: 'family-2' };
const reason = (origin: Origin | undefined): Part => ({
  type: 'reasoning',
  text: 'SECRET THOUGHT',
  proof: { origin, value: 'blob' },
});
const withParts = (...parts: readonly Part[]) => createRequest({ turns: [user('a'), assistant(...parts), user('b')] });
const onChat = createProfile({}, { wire: 'chat-completions' });

describe('foreign-proofs fit', () => {
  it('keeps a proof for the provider and family that issued it, as the same object', () => {
    expect(runFit(foreignProofsFit, withParts(reason(here), text('x')), createProfile()).fitted).to.equal(undefined);
  });

  it('removes reasoning of another family with its text, and reports it', () => {
    const { request, losses } = runFit(foreignProofsFit, withParts(reason(elsewhere), text('x')), createProfile());
    expect(request.turns[1]?.parts).to.deep.equal([text('x')]);
    expect(JSON.stringify(request)).not.to.include('SECRET THOUGHT');
    expect(namesOf(losses)).to.deep.equal(['messages.reasoning dropped']);
  });

  it('removes the proof of another family at the same provider', () => {
    const { request } = runFit(
      foreignProofsFit,
      withParts(reason({ ...here, family: 'family-2' }), text('x')),
      createProfile(),
    );
    expect(request.turns[1]?.parts).to.deep.equal([text('x')]);
  });

  it('removes the proof of another account at the same vendor', () => {
    const { request } = runFit(
      foreignProofsFit,
      withParts(reason({ ...here, provider: 'second-account' }), text('x')),
      createProfile(),
    );
    expect(request.turns[1]?.parts).to.deep.equal([text('x')]);
  });

  it('assigns a proof without origin to the client’s wire', () => {
    const request = withParts(reason(undefined), text('x'));
    expect(runFit(foreignProofsFit, request, onChat).fitted).to.equal(undefined);
    expect(runFit(foreignProofsFit, request, createProfile()).request.turns[1]?.parts).to.have.length(1);
  });

  it('removes only the signature of a call with a foreign proof', () => {
    const signed: Part = {
      ...(call('c1', 'find', '{"a":1}') as Extract<Part, { type: 'tool-call' }>),
      proof: { origin: elsewhere, value: 'blob' },
    };
    const { request, losses } = runFit(foreignProofsFit, withParts(signed), createProfile());
    expect(request.turns[1]?.parts[0]).to.deep.include({ id: 'c1', input: '{"a":1}', proof: undefined });
    expect(namesOf(losses)).to.deep.equal(['messages.signature dropped']);
  });

  it('keeps reasoning without a proof, unless the wire requires one', () => {
    const request = withParts({ type: 'reasoning', text: 'open' }, text('x'));
    expect(runFit(foreignProofsFit, request, onChat).fitted).to.equal(undefined);
    expect(runFit(foreignProofsFit, request, createProfile()).request.turns[1]?.parts).to.deep.equal([text('x')]);
  });

  it('removes redacted reasoning without a proof, and a turn that becomes empty', () => {
    const { request } = runFit(foreignProofsFit, withParts({ type: 'reasoning', text: '', redacted: true }), onChat);
    expect(request.turns).to.deep.equal([user('a'), user('b')]);
  });
});
