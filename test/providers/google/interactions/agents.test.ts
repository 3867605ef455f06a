import { expect } from 'chai';
import { interactionsCodec } from '../../../../providers/google/interactions/index.ts';

const { client, upstream } = interactionsCodec;
if (client === undefined || upstream === undefined) throw new Error('the codec lacks a side');

const decode = (members: object) => {
  const body = { input: 'Hello', ...members };
  return client.decodeRequest({ raw: Buffer.from(JSON.stringify(body)), body, headers: {}, query: {} });
};

describe('interactions: an agent', () => {
  it('is named in the place of a model, also in a request that is written anew', () => {
    const agent_config = { type: 'deep-research' };
    const { model, request } = decode({ agent: 'house/researcher', background: true, agent_config });
    expect([model, request.agent]).to.deep.equal(['house/researcher', true]);
    const profile = { provider: 'google', model: 'researcher', capabilities: {}, traits: {}, wire: 'interactions' };
    const { body } = upstream.encodeRequest(request, profile as never, () => {});
    expect(body).to.include({ agent: 'researcher', background: true });
    expect(body).to.deep.include({ agent_config });
    expect(body).to.not.have.any.keys('model', 'generation_config');
  });

  it('is a text, and excludes a model', () => {
    expect(() => decode({ agent: 5 })).to.throw(/'agent' must be a/);
    expect(() => decode({ agent: 'one', model: 'other' })).to.throw(/'agent' and 'model' exclude each other/);
  });
});
