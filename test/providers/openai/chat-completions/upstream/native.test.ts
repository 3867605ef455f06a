import { expect } from 'chai';
import { applyFits, coreFits, selectFits } from '../../../../../core/fits/index.ts';
import type { Capabilities, GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import { type BodyEdit, omitUndefined, sealProof, type TargetProfile } from '../../../../../core/api/codec.ts';
import { decodeBody, native, origin, profile, upstream } from '../harness.ts';

/** A server without the object `reasoning`. */
const effortMember = 'reasoning_effort';
const messages = [{ role: 'user', content: 'hi' }];
const plan = (members: JsonObject, target: Partial<TargetProfile> = {}) => {
  const body = { model: 'openai/gpt-4o', messages, ...members };
  const { request } = decodeBody(body);
  const made = native(
    {
      raw: Buffer.from(JSON.stringify(body)),
      body,
      headers: { 'openai-organization': 'org-of-the-client', authorization: 'x' },
      query: {},
    },
    request,
    { ...profile, ...target },
  );
  if (made === undefined) throw new Error('there is no native plan');
  return made;
};
/** What the translated lane sends for the same request. */
const translate = (request: GenerateRequest, target: TargetProfile): JsonObject => {
  const fitted = applyFits(selectFits(coreFits, target), request, target, {
    lose: () => {},
    client: target.traits,
    signal: new AbortController().signal,
  });
  if (fitted instanceof Promise) throw new Error('nothing has to be waited for');
  return upstream.encodeRequest(fitted.request, target, () => {}).body;
};
const edits = (members: JsonObject = {}, target: Partial<TargetProfile> = {}): readonly BodyEdit[] =>
  plan(members, target).edits.filter(({ member }) => member !== 'model');

describe('chat-completions: native lane', () => {
  it('the native lane is not used when reasoning has to be hidden, plain or streamed', () => {
    for (const stream of [false, true])
      expect(() => plan({ reasoning: { exclude: true }, stream })).to.throw('no native plan');
    expect(plan({ reasoning: { exclude: false } }).edits).to.not.equal(undefined);
  });

  it('changes nothing but the model of an ordinary request', () => {
    expect(plan({ temperature: 1, max_tokens: 5, brand_new: 1 }).edits).to.deep.equal([
      { member: 'model', value: 'm-1' },
    ]);
  });

  it('forwards no headers of the client', () => {
    expect(plan({}).headers).to.deep.equal({});
  });

  it('requests usage for a stream when the client did not', () => {
    expect(edits({ stream: true })).to.deep.equal([{ member: 'stream_options', value: { include_usage: true } }]);
    expect(edits({ stream: true, stream_options: { include_obfuscation: false } })).to.deep.equal([
      { member: 'stream_options', value: { include_obfuscation: false, include_usage: true } },
    ]);
    expect(edits({ stream: true, stream_options: { include_usage: true } })).to.deep.equal([]);
    expect(edits({ stream: false })).to.deep.equal([]);
  });

  it('E55: keeps max_tokens when both caps are set', () => {
    expect(edits({ max_tokens: 1, max_completion_tokens: 2 })).to.deep.equal([
      { member: 'max_completion_tokens', value: undefined },
    ]);
    expect(edits({ max_tokens: null, max_completion_tokens: 2 })).to.deep.equal([]);
  });

  it('sends the cap that counts to a server that reads one member only', () => {
    const gone = (member: string) => ({ member, value: undefined });
    const onNewer = (members: JsonObject) => edits(members, { capMember: 'max_completion_tokens' });
    expect(onNewer({ max_tokens: 5 })).to.deep.equal([
      gone('max_tokens'),
      { member: 'max_completion_tokens', value: 5 },
    ]);
    expect(onNewer({ max_tokens: 5, max_completion_tokens: 9 })).to.deep.equal([
      gone('max_tokens'),
      { member: 'max_completion_tokens', value: 5 },
    ]);
    for (const members of [{}, { max_completion_tokens: 7 }, { max_tokens: null }])
      expect(onNewer(members)).to.deep.equal([]);
    const onOlder = (members: JsonObject) => edits(members, { capMember: 'max_tokens' });
    expect(onOlder({ max_completion_tokens: 5 })).to.deep.equal([
      gone('max_completion_tokens'),
      { member: 'max_tokens', value: 5 },
    ]);
    expect(onOlder({ max_completion_tokens: 5, max_tokens: 7 })).to.deep.equal([gone('max_completion_tokens')]);
    for (const members of [{}, { max_tokens: 7 }, { max_completion_tokens: null }])
      expect(onOlder(members)).to.deep.equal([]);
  });

  it('requests the same effort as the translated lane for every budget, cap and model', () => {
    const models: readonly Capabilities[] = [
      {},
      { efforts: ['low', 'medium', 'high'], thinkingOff: false },
      { efforts: ['none', 'low', 'high', 'xhigh'], maxOutput: 8_192 },
    ];
    for (const capabilities of models) {
      for (const max_tokens of [undefined, 4_000, 30_000]) {
        for (const budget of [0, 1_000, 3_500, 20_000]) {
          const members: JsonObject = omitUndefined({
            reasoning: { max_tokens: budget },
            max_tokens,
          });
          const { request } = decodeBody({ model: 'openai/gpt-4o', messages, ...members });
          const body = translate(request, { ...profile, capabilities, effortMember });
          expect(body['reasoning_effort']).to.be.a('string');
          expect(
            edits(members, { capabilities, effortMember }),
            JSON.stringify({ ...members, ...capabilities }),
          ).to.deep.include({
            member: 'reasoning_effort',
            value: body['reasoning_effort'],
          });
        }
      }
    }
  });

  it('leaves the object reasoning as it is, unless the server wants the effort in another member', () => {
    for (const reasoning of [{ enabled: true }, { max_tokens: 4_000 }, { effort: 'high', summary: 'auto' }])
      expect(plan({ reasoning }).edits).to.deep.equal([{ member: 'model', value: 'm-1' }]);
  });

  it('names what is lost of the object reasoning', () => {
    const lost = (reasoning: JsonObject, capabilities: Capabilities = {}) =>
      (plan({ reasoning }, { effortMember, capabilities }).losses ?? []).map(({ field, kind }) => `${field} ${kind}`);
    expect(lost({ effort: 'xhigh' })).to.deep.equal([]);
    expect(lost({ enabled: false })).to.deep.equal([]);
    expect(lost({ enabled: true })).to.deep.equal([]);
    expect(lost({ enabled: true }, { efforts: ['high'] })).to.deep.equal(['reasoning.enabled approximated']);
    expect(lost({ enabled: true }, { efforts: [] })).to.deep.equal(['reasoning.enabled dropped']);
    expect(lost({ max_tokens: 4_000 })).to.deep.equal(['reasoning.max_tokens approximated']);
    expect(lost({ max_tokens: 4_000 }, { efforts: [] })).to.deep.equal(['reasoning.max_tokens dropped']);
    expect(lost({ max_tokens: 4_000, effort: 'low' })).to.deep.equal(['reasoning.max_tokens dropped']);
    expect(lost({ effort: 'low', summary: 'auto' })).to.deep.equal(['reasoning.summary dropped']);
    expect(lost({ max_tokens: 0 }, { efforts: ['low', 'high'], thinkingOff: false })).to.deep.equal([
      'reasoning.max_tokens approximated',
    ]);
  });

  it('turns the object reasoning into an effort for a server without it', () => {
    const effort = (reasoning: JsonObject, members: JsonObject = {}) =>
      edits({ reasoning, stream: true, stream_options: { include_usage: true }, ...members }, { effortMember });
    const gone = { member: 'reasoning', value: undefined };
    expect(effort({ effort: 'high' })).to.deep.equal([gone, { member: 'reasoning_effort', value: 'high' }]);
    expect(effort({ exclude: false })).to.deep.equal([gone]);
    expect(effort({ exclude: false }, { reasoning_effort: 'low' })).to.deep.equal([
      gone,
      { member: 'reasoning_effort', value: 'low' },
    ]);
    expect(effort({ max_tokens: 0 })).to.deep.equal([gone, { member: 'reasoning_effort', value: 'none' }]);
    expect(effort({ max_tokens: 1_000 })).to.deep.equal([gone, { member: 'reasoning_effort', value: 'low' }]);
    expect(effort({ max_tokens: 4_000 }, { max_tokens: 10_000 })).to.deep.equal([
      gone,
      { member: 'reasoning_effort', value: 'medium' },
    ]);
    expect(effort({ max_tokens: 8_000 }, { max_tokens: 10_000 })).to.deep.equal([
      gone,
      { member: 'reasoning_effort', value: 'xhigh' },
    ]);
  });

  it("E37: leaves messages alone unless they hold a sealed proof, opens the target's own and removes others", () => {
    const own = sealProof({ origin, value: 'SIG' });
    const other = sealProof({ origin: { provider: 'b', family: 'google' }, value: 'SIG' });
    const history = (blob: string) => [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: 'x',
        odd: 1,
        reasoning_details: [
          { type: 'reasoning.text', text: 't', signature: blob, index: 0 },
          { type: 'reasoning.encrypted', data: blob },
          { type: 'reasoning.text', text: 'plain' },
        ],
        tool_calls: [
          {
            id: 'a',
            type: 'function',
            function: { name: 'f', arguments: '{}' },
            extra_content: { google: { thought_signature: blob } },
          },
        ],
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
