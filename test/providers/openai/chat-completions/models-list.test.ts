import { expect } from 'chai';
import { client } from './harness.ts';

const entry = { id: 'openai/gpt-4o', provider: 'openai', wires: [], capabilities: {}, created: 1_763 };

describe('chat-completions: models list', () => {
  it('the models list of OpenAI is returned to clients that no other wire recognises', () => {
    expect(client.models).to.not.have.property('recognises');
  });
  it('the models list contains the catalog id and the owner of each model', () => {
    const model = { id: 'openai/gpt-4o', object: 'model', created: 1_763, owned_by: 'openai' };
    expect(client.models?.list([entry], {})).to.deep.equal({ object: 'list', data: [model] });
    expect(client.models?.list([], {})).to.deep.equal({ object: 'list', data: [] });
    expect(client.models?.one(entry)).to.deep.equal(model);
  });
});
