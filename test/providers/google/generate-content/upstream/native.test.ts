import { expect } from 'chai';
import type { JsonObject } from '../../../../../core/api/index.ts';
import { sealProof, type BodyEdit } from '../../../../../core/api/codec.ts';
import { ReasoningCarrier } from '../../../../../providers/google/generate-content/carried-reasoning.ts';
import { decodeBody, native, origin, profile } from './exchange.ts';

const user = { role: 'user', parts: [{ text: 'hi' }] };
const plan = (body: JsonObject, target = profile) => {
  const made = native(
    {
      raw: Buffer.from(JSON.stringify(body)),
      body,
      headers: { 'x-goog-api-key': "the client's", 'x-goog-api-client': 'genai' },
      query: {},
    },
    decodeBody(body),
    target,
  );
  if (made === undefined) throw new Error('there is no native plan');
  return made;
};
const edits = (body: JsonObject): readonly BodyEdit[] => plan(body).edits;
const contentsOf = (body: JsonObject): unknown => edits(body).find(({ member }) => member === 'contents')?.value;

describe('the native lane of generate-content', () => {
  it('the native lane changes nothing in an ordinary request, and forwards no header', () => {
    const body = {
      contents: [
        user,
        {
          role: 'model',
          parts: [
            { text: 'a', thoughtSignature: 'VENDOR' },
            { functionCall: { name: 'f' }, thought_signature: 'VENDOR' },
          ],
        },
        user,
      ],
      brand_new: 1,
      generationConfig: { thinkingConfig: { includeThoughts: false } },
    };
    expect(plan(body)).to.deep.include({ edits: [], headers: {} });
  });

  it('replaces a model that the body repeats', () => {
    expect(edits({ contents: [user], model: 'models/google/gemini' })).to.deep.equal([
      { member: 'model', value: 'models/gemini-2.5-flash' },
    ]);
    expect(plan({ contents: [user], model: 'x' }, { ...profile, model: 'tunedModels/mine' }).edits).to.deep.equal([
      { member: 'model', value: 'tunedModels/mine' },
    ]);
  });

  it('E37: unseals a proof for its own provider', () => {
    const own = sealProof({ origin, value: 'SIG' });
    const step = (signature: string) => ({
      role: 'model',
      parts: [
        { text: 'hm', thought: true, thoughtSignature: signature },
        { functionCall: { name: 'f' }, thought_signature: signature },
      ],
      odd: 1,
    });
    expect(contentsOf({ contents: [user, step(own)] })).to.deep.equal([user, step('SIG')]);
  });

  it('E37: removes reasoning that a call carries, since this vendor needs none', () => {
    const call = (signature?: string) => ({
      role: 'model',
      parts: [{ functionCall: { name: 'f' }, ...(signature === undefined ? {} : { thoughtSignature: signature }) }],
    });
    const carry = (provider: string) => {
      const carrier = new ReasoningCarrier();
      carrier.add('Thought.', { origin: { ...origin, provider }, value: 'SIG' });
      const proof = carrier.sign(undefined);
      return call(proof === undefined ? undefined : sealProof(proof));
    };
    const sent = contentsOf({ contents: [user, carry('google'), user, carry('anthropic'), user, call('VENDOR')] });
    expect(sent).to.deep.equal([user, call(), user, call(), user, call('VENDOR')]);
  });

  it('E37: unseals proofs in a single part and a single content as well', () => {
    const own = sealProof({ origin, value: 'SIG' });
    const foreign = sealProof({ origin: { provider: 'anthropic', family: 'claude' }, value: 'SIG' });
    const said = (signature: string) => ({ role: 'model', parts: { text: 'a', thoughtSignature: signature } });
    expect(contentsOf({ contents: [user, said(own), said(foreign), said('VENDOR')] })).to.deep.equal([
      user,
      { role: 'model', parts: [{ text: 'a', thoughtSignature: 'SIG' }] },
      { role: 'model', parts: [{ text: 'a' }] },
      said('VENDOR'),
    ]);
    expect(contentsOf({ contents: said(own) })).to.deep.equal([
      { role: 'model', parts: [{ text: 'a', thoughtSignature: 'SIG' }] },
    ]);
    expect(contentsOf({ contents: said('VENDOR') })).to.equal(undefined);
  });

  it('E37: removes a proof of another provider, with the thought or the empty text that it signs', () => {
    for (const maker of [
      { provider: 'anthropic', family: 'claude' },
      { provider: 'another account', family: 'google' },
    ]) {
      const sealed = sealProof({ origin: maker, value: 'SIG' });
      const contents = [
        user,
        { role: 'model', parts: [{ text: 'hm', thought: true, thoughtSignature: sealed }] },
        {
          role: 'model',
          parts: [
            { text: 'a', thoughtSignature: sealed },
            { functionCall: { name: 'f' }, thoughtSignature: sealed },
            { text: '', thoughtSignature: sealed },
          ],
        },
        { role: 'model', parts: [{ text: 'kept', thought: true, thoughtSignature: 'VENDOR' }] },
      ];
      expect(contentsOf({ contents }), maker.provider).to.deep.equal([
        user,
        { role: 'model', parts: [{ text: 'a' }, { functionCall: { name: 'f' } }] },
        contents[3],
      ]);
    }
  });
});
