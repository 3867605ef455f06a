import { expect } from 'chai';
import type { EmbedRequest } from '../../../../../core/api/index.ts';
import { createProfile } from '../../../../../core/testing/index.ts';
import { decode, encode, inboundOf, native } from '../exchange.ts';

describe('embeddings: upstream request', () => {
  it('the upstream request has exactly the members that the client set', () => {
    expect(encode(decode({ input: 'Hi' }))).to.deep.equal({ body: { model: 'model', input: ['Hi'] }, losses: [] });
    expect(encode(decode({ input: [1, 2], dimensions: 64, encoding_format: 'base64', user: 'u' }))).to.deep.equal({
      body: { model: 'model', input: [[1, 2]], dimensions: 64, encoding_format: 'base64', user: 'u' },
      losses: [],
    });
  });

  it('requests numbers by leaving out encoding_format, since servers differ in what else they support', () => {
    expect(encode(decode({ input: 'Hi', encoding_format: 'float' })).body).to.not.have.property('encoding_format');
  });

  it('reports members of other wires as lost', () => {
    const request: EmbedRequest = {
      inputs: ['Hi'],
      encoding: 'float',
      extra: { wire: 'embed-content', members: { taskType: 'RETRIEVAL_QUERY' } },
    };
    const { body, losses } = encode(request);
    expect(body).to.deep.equal({ model: 'model', input: ['Hi'] });
    expect(losses).to.deep.equal([{ field: 'taskType', kind: 'dropped', detail: 'embeddings has no such member' }]);
  });

  it('changes nothing but the model on the native lane', () => {
    const plan = native(
      inboundOf({ model: 'm', input: 'Hi', encoding_format: null }),
      decode({ input: 'Hi' }),
      createProfile('embeddings'),
    );
    expect(plan?.edits).to.deep.equal([{ member: 'model', value: 'model' }]);
    expect(plan?.headers).to.deep.equal({});
    expect(plan?.addToResponse).to.equal(undefined);
  });
});
