import { expect } from 'chai';
import type { JsonObject } from '../../../core/api/index.ts';
import { createLossList } from '../../../core/testing/index.ts';
import { writeCallId } from '../../../providers/mistral/messages.ts';
import { createChatEdits, editEmbeddings } from '../../../providers/mistral/edits.ts';

const user = { role: 'user', content: 'Hello' };
const apply = (body: JsonObject, edits = createChatEdits(true, false)) => {
  const { losses, lose } = createLossList();
  const edited: JsonObject = { ...body };
  for (const { member, value } of edits(body, { stream: false, headers: {}, lose })) {
    if (value === undefined) delete edited[member];
    else edited[member] = value;
  }
  return { body: edited, losses: losses.map(({ field, kind }) => `${field} ${kind}`) };
};

describe('the dialect of Mistral', () => {
  it('a request in the dialect of Mistral is left as it is', () => {
    const body = {
      model: 'mistral-small-latest',
      messages: [
        { role: 'system', content: 'Be brief.' },
        user,
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'Caf7Pyrd8', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'Caf7Pyrd8', content: 'x' },
      ],
      random_seed: 7,
      safe_prompt: true,
      tool_choice: 'any',
      max_tokens: 9,
    };
    expect(createChatEdits(true, true)(body, { stream: false, headers: {}, lose: () => undefined })).to.deep.equal([]);
  });

  it('members with another name at Mistral are renamed, and unknown ones are removed and named', () => {
    const { body, losses } = apply({
      messages: [user],
      seed: 7,
      max_completion_tokens: 9,
      stream_options: { include_usage: true },
      user: 'u',
      store: false,
      logit_bias: {},
    });
    expect(body).to.deep.equal({ messages: [user], random_seed: 7, max_tokens: 9 });
    expect(losses).to.have.members(['user dropped', 'logit_bias dropped']);
  });

  it('functions get the parameters that the vendor requires, and the key of the cache is sent', () => {
    const tool = { type: 'function', function: { name: 'a' } };
    const { body, losses } = apply({ messages: [user], tools: [tool], prompt_cache_key: 'k' });
    const parameters = { type: 'object', properties: {} };
    expect(body).to.deep.include({
      prompt_cache_key: 'k',
      tools: [{ type: 'function', function: { name: 'a', parameters } }],
    });
    expect(losses).to.deep.equal([]);
  });

  it('a required call is any call at Mistral, and a subset of tools is all it gets (E22)', () => {
    const parameters = { type: 'object', properties: {} };
    const tools = ['a', 'b'].map((name) => ({ type: 'function', function: { name, parameters } }));
    expect(apply({ messages: [user], tools, tool_choice: 'required' }).body['tool_choice']).to.equal('any');
    const allowed = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [tools[1]] } };
    expect(apply({ messages: [user], tools, tool_choice: allowed }).body).to.deep.include({
      tools: [tools[1]],
      tool_choice: 'any',
    });
    const named = { type: 'function', function: { name: 'a' } };
    expect(apply({ messages: [user], tools, tool_choice: named }).body['tool_choice']).to.deep.equal(named);
  });

  it('ids of calls have nine letters at Mistral, the same for a call and its result (E3)', () => {
    const id = 'call_0123456789';
    const { body } = apply({
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'f' } }] },
        { role: 'tool', tool_call_id: id, content: 'x' },
      ],
    });
    const [, assistant, tool] = body['messages'] as readonly {
      readonly tool_calls?: readonly { readonly id: string }[];
      readonly tool_call_id?: string;
    }[];
    expect(assistant?.tool_calls?.[0]?.id)
      .to.match(/^[a-zA-Z0-9]{9}$/)
      .and.to.equal(tool?.tool_call_id);
    expect(writeCallId('Caf7Pyrd8')).to.equal('Caf7Pyrd8');
    expect(new Set(Array.from({ length: 500 }, (_, index) => writeCallId(`call_${index}`)))).to.have.property(
      'size',
      500,
    );
  });

  it('an answer at the end is a prefix for Mistral, and instructions are of the system', () => {
    const { body } = apply({
      messages: [{ role: 'developer', content: 'Be brief.' }, user, { role: 'assistant', content: 'Once' }],
    });
    expect(body['messages']).to.deep.equal([
      { role: 'system', content: 'Be brief.' },
      user,
      { role: 'assistant', content: 'Once', prefix: true },
    ]);
  });

  it('earlier reasoning is a block for models of Mistral that reason, and is lost for others', () => {
    const body = { messages: [user, { role: 'assistant', content: '8.', reasoning_content: '5 + 3' }, user] };
    expect((apply(body).body['messages'] as readonly unknown[])[1]).to.deep.equal({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: '5 + 3' }] },
        { type: 'text', text: '8.' },
      ],
    });
    const { body: plain, losses } = apply(body, createChatEdits(false, false));
    expect((plain['messages'] as readonly unknown[])[1]).to.deep.equal({ role: 'assistant', content: '8.' });
    expect(losses).to.deep.equal(['messages.reasoning dropped']);
  });

  it('a file is a document at Mistral, and cache marks are removed', () => {
    const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } };
    const marked = { type: 'text', text: 'Read it.', cache_control: { type: 'ephemeral' } };
    const { body, losses } = apply({ messages: [{ role: 'user', content: [file, marked, marked] }] });
    const text = { type: 'text', text: 'Read it.' };
    expect(body['messages']).to.deep.equal([
      {
        role: 'user',
        content: [
          { type: 'document_url', document_url: 'data:application/pdf;base64,JVBERi0=', document_name: 'a.pdf' },
          text,
          text,
        ],
      },
    ]);
    expect(losses).to.deep.equal(['messages.content.cache_control dropped']);
  });

  it('embeddings of Mistral have an output dimension', () => {
    expect(apply({ input: 'a', dimensions: 256, user: 'u' }, editEmbeddings)).to.deep.equal({
      body: { input: 'a', output_dimension: 256 },
      losses: ['user dropped'],
    });
  });
});
