import { expect } from 'chai';
import { client } from './harness.ts';

const entry = { id: 'openai/gpt-4o', provider: 'openai', wires: [], capabilities: {}, created: 1_763 };

describe('the models list of chat-completions', () => {
  it('is the shape for everyone whom no other wire recognises', () => {
    expect(client.models).to.not.have.property('recognises');
  });
  it('names the catalog id and its owner', () => {
    const model = { id: 'openai/gpt-4o', object: 'model', created: 1_763, owned_by: 'openai' };
    expect(client.models?.list([entry], {})).to.deep.equal({ object: 'list', data: [model] });
    expect(client.models?.list([], {})).to.deep.equal({ object: 'list', data: [] });
    expect(client.models?.one(entry)).to.deep.equal(model);
  });
});
