import { expect } from 'chai';
import { sealProof, type BodyEdit, type JsonObject } from '../../../../../core/index.ts';
import { decodeBody, native, origin, profile } from '../harness.ts';

const messages = [{ role: 'user', content: 'hi' }];
const plan = (members: JsonObject) => {
  const body = { model: 'openai/gpt-4o', messages, ...members };
  const { request } = decodeBody(body);
  const made = native({ raw: Buffer.from(JSON.stringify(body)), body, headers: { 'openai-organization': 'org-of-the-client', authorization: 'x' }, query: {} }, request, profile);
  if (made === undefined) throw new Error('there is no native plan');
  return made;
};
const edits = (members: JsonObject = {}): readonly BodyEdit[] => plan(members).edits.filter(({ member }) => member !== 'model');

describe('the native lane of chat-completions', () => {
  it('does not take an answer whose reasoning must be hidden, plain or streamed', () => {
    for (const stream of [false, true]) expect(() => plan({ reasoning: { exclude: true }, stream })).to.throw('no native plan');
    expect(plan({ reasoning: { exclude: false } }).edits).to.not.equal(undefined);
  });

  it('changes the model and nothing else of an ordinary request', () => {
    expect(plan({ temperature: 1, max_tokens: 5, brand_new: 1 }).edits).to.deep.equal([{ member: 'model', value: 'm-1' }]);
  });

  it("forwards none of the client's headers", () => {
    expect(plan({}).headers).to.deep.equal({});
  });

  it('asks a stream for usage unless the client did', () => {
    expect(edits({ stream: true })).to.deep.equal([{ member: 'stream_options', value: { include_usage: true } }]);
    expect(edits({ stream: true, stream_options: { include_obfuscation: false } })).to.deep.equal([{ member: 'stream_options', value: { include_obfuscation: false, include_usage: true } }]);
    expect(edits({ stream: true, stream_options: { include_usage: true } })).to.deep.equal([]);
    expect(edits({ stream: false })).to.deep.equal([]);
  });

  it('E55: lets max_tokens win', () => {
    expect(edits({ max_tokens: 1, max_completion_tokens: 2 })).to.deep.equal([{ member: 'max_completion_tokens', value: undefined }]);
    expect(edits({ max_tokens: null, max_completion_tokens: 2 })).to.deep.equal([]);
  });

  it("turns the mission's reasoning object into an effort", () => {
    const effort = (reasoning: JsonObject, members: JsonObject = {}) => edits({ reasoning, stream: true, stream_options: { include_usage: true }, ...members });
    const gone = { member: 'reasoning', value: undefined };
    expect(effort({ effort: 'high' })).to.deep.equal([gone, { member: 'reasoning_effort', value: 'high' }]);
    expect(effort({ exclude: false })).to.deep.equal([gone]);
    expect(effort({ exclude: false }, { reasoning_effort: 'low' })).to.deep.equal([gone, { member: 'reasoning_effort', value: 'low' }]);
    expect(effort({ max_tokens: 0 })).to.deep.equal([gone, { member: 'reasoning_effort', value: 'none' }]);
    expect(effort({ max_tokens: 1_000 })).to.deep.equal([gone, { member: 'reasoning_effort', value: 'low' }]);
    expect(effort({ max_tokens: 4_000 }, { max_tokens: 10_000 })).to.deep.equal([gone, { member: 'reasoning_effort', value: 'medium' }]);
    expect(effort({ max_tokens: 8_000 }, { max_tokens: 10_000 })).to.deep.equal([gone, { member: 'reasoning_effort', value: 'high' }]);
  });

  it("E37: leaves messages alone unless they hold a proof that we sealed: the target's own is opened, another's removed", () => {
    const own = sealProof({ origin, value: 'SIG' });
    const other = sealProof({ origin: { provider: 'b', family: 'google' }, value: 'SIG' });
    const history = (blob: string) => [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: 'x',
        odd: 1,
        reasoning_details: [{ type: 'reasoning.text', text: 't', signature: blob, index: 0 }, { type: 'reasoning.encrypted', data: blob }, { type: 'reasoning.text', text: 'plain' }],
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content: { google: { thought_signature: blob } } }],
      },
    ];
    expect(edits({ messages: history('VENDOR') })).to.deep.equal([]);
    expect(edits({ messages: history(own) })).to.deep.equal([{ member: 'messages', value: history('SIG') }]);
    const sibling = sealProof({ origin: { ...origin, provider: 'another account' }, value: 'SIG' });
    expect(edits({ messages: history(sibling) })).to.deep.equal(edits({ messages: history(other) }));
    const freed = edits({ messages: history(other) })[0]?.value as readonly JsonObject[] | undefined;
    expect(freed?.[1]).to.deep.equal({
      role: 'assistant',
      content: 'x',
      odd: 1,
      reasoning_details: [{ type: 'reasoning.text', text: 'plain' }],
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    });
  });
});
