import { expect } from 'chai';
import type { JsonObject } from '../../../core/api/index.ts';
import { createLossList } from '../../../core/testing/index.ts';
import { createChatEdits } from '../../../providers/openai/chat-edits.ts';

const editWith = (body: JsonObject, model: string) => {
  const { losses, lose } = createLossList();
  return {
    edits: createChatEdits(model)(body, { stream: false, headers: {}, lose }),
    losses: losses.map(({ field, kind }) => `${field} ${kind}`),
  };
};
const edits = (body: JsonObject, model = 'gpt-4o') => editWith(body, model).edits;
const tools = [{ type: 'function', function: { name: 'f' } }];

describe('OpenAI: edits on chat-completions', () => {
  it('chat edits leave an ordinary request unchanged', () => {
    expect(
      edits({
        model: 'm',
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: 'y', tool_calls: [{ id: 'a' }] },
        ],
        max_completion_tokens: 5,
        max_tokens: null,
        tools,
      }),
    ).to.deep.equal([]);
  });

  it('chat edits leave the output cap to the codec', () => {
    for (const model of ['gpt-4o', 'o3'])
      expect(edits({ max_tokens: 5, max_completion_tokens: 9 }, model), model).to.deep.equal([]);
  });

  it('chat edits remove the reasoning of other providers and nothing else', () => {
    const user = { role: 'user', content: 'x', reasoning: 'mine' };
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const messages = [
      user,
      {
        role: 'assistant',
        content: 'y',
        odd: 1,
        reasoning: 'r',
        reasoning_content: 'r',
        reasoning_details: [],
        tool_calls: [{ ...call, extra_content: {} }],
      },
      { role: 'assistant', content: 'z', reasoning_content: '' },
    ];
    expect(edits({ messages })).to.deep.equal([
      {
        member: 'messages',
        value: [
          user,
          { role: 'assistant', content: 'y', odd: 1, tool_calls: [call] },
          { role: 'assistant', content: 'z' },
        ],
      },
    ]);
  });

  it('chat edits report what the client does not get', () => {
    expect(
      editWith({ messages: [{ role: 'assistant', content: 'y', reasoning: 'r' }] }, 'gpt-4o').losses,
    ).to.deep.equal(['messages.reasoning dropped']);
    expect(editWith({ tools, reasoning_effort: 'high' }, 'gpt-5.5').losses).to.deep.equal([
      'reasoning_effort approximated',
    ]);
    expect(editWith({ tools }, 'gpt-5.6-sol').losses).to.deep.equal(['reasoning_effort injected']);
    expect(editWith({ tools, max_tokens: 5, messages: [] }, 'gpt-5').losses).to.deep.equal([]);
  });

  it('chat edits turn reasoning off where the model refuses tools with it', () => {
    const off = [{ member: 'reasoning_effort', value: 'none' }];
    for (const model of ['gpt-5.4', 'gpt-5.5-mini', 'gpt-5.6-2026-09-01']) {
      expect(edits({ tools, reasoning_effort: 'high' }, model), model).to.deep.equal(off);
      expect(edits({ tools, reasoning_effort: 'none' }, model), model).to.deep.equal([]);
      expect(edits({ tools: [], reasoning_effort: 'high' }, model), model).to.deep.equal([]);
    }
    for (const model of ['gpt-5.6-2026-09-01', 'gpt-6-sol', 'gpt-6.1-terra'])
      expect(edits({ tools }, model), model).to.deep.equal(off);
    for (const model of ['gpt-5.4-mini', 'gpt-5.5', 'gpt-5', 'gpt-5.1', 'gpt-5.3', 'gpt-6', 'o3'])
      expect(edits({ tools }, model), model).to.deep.equal([]);
  });

  it('chat edits accept messages of any shape', () => {
    for (const messages of [undefined, null, 'x', [null, 5, 'x', []], [{ role: 'assistant', tool_calls: [null, 'x'] }]])
      expect(edits({ messages })).to.deep.equal([]);
  });
});
