import { expect } from 'chai';
import type { GenerateRequest, JsonObject } from '../../../../core/api/index.ts';
import {
  countLaws,
  createLossList,
  createProfile,
  createReadContext,
  createWriteContext,
  sampleRequests,
  type Recording,
} from '../../../../core/testing/index.ts';
import anthropic from '../../../../providers/anthropic/index.ts';
import { messagesCountCodec } from '../../../../providers/anthropic/messages/count-tokens.ts';
import { hasCorpus, readCorpus } from '../../../core/testing/corpus.ts';

const { client, upstream } = messagesCountCodec;
if (client === undefined || upstream?.native === undefined) throw new Error('the codec lacks a half');
const { native } = upstream;

const headers = { 'anthropic-version': '2026-10-21' };
const inboundOf = (body: JsonObject, more = {}) => ({
  raw: Buffer.from(JSON.stringify(body)),
  body,
  headers: { ...headers, ...more },
  query: {},
});
const prompt: JsonObject = { model: 'claude', messages: [{ role: 'user', content: 'Hello' }] };
const decode = (body: JsonObject): GenerateRequest => client.decodeRequest(inboundOf(body)).request;
const encode = (request: GenerateRequest) => {
  const { losses, lose } = createLossList();
  const { body, headers: sent } = upstream.encodeRequest(request, createProfile('messages'), lose);
  return { body: JSON.parse(JSON.stringify(body)) as JsonObject, headers: sent, losses };
};
const refused = ['max_tokens', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'stream', 'metadata', 'service_tier'];

describe('messages: counting tokens', () => {
  it('accepts a request for a token count with and without a cap', () => {
    expect(decode(prompt)).to.not.have.property('maxTokens');
    expect(decode({ ...prompt, max_tokens: 5, stream: true })).to.include({ maxTokens: 5, stream: false });
    expect(() => decode({ ...prompt, max_tokens: 'many' })).to.throw("'max_tokens'");
    expect(() => client.decodeRequest({ ...inboundOf(prompt), headers: {} })).to.throw('anthropic-version');
  });

  it('sends the prompt without the members that the endpoint rejects', () => {
    const {
      body,
      headers: sent,
      losses,
    } = encode(
      decode({
        ...prompt,
        system: 'Be brief.',
        tools: [{ name: 'f', input_schema: { type: 'object' } }],
        tool_choice: { type: 'any' },
        temperature: 0.5,
        stop_sequences: ['x'],
        metadata: { user_id: 'u', other: 1 },
      }),
    );
    expect(body).to.deep.equal({
      model: 'model',
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any' },
    });
    expect(losses).to.deep.equal([]);
    // A version that takes sampling would be the older one; here nothing is sampled.
    expect(sent).to.deep.equal({ 'anthropic-version': '2026-10-21' });
  });

  it('names no losses for members that are not counted', () => {
    const sampling = sampleRequests('chat-completions').filter(([name]) => name === 'sampling' || name === 'settings');
    expect(sampling).to.have.lengthOf(2);
    for (const [, request] of sampling) expect(encode({ ...request, stream: true }).losses).to.deep.equal([]);
  });

  it('returns the token count that the SDK reads', () => {
    expect(
      client.encodeResponse({ inputTokens: 14, estimated: false }, createWriteContext<'count-tokens'>(decode(prompt))),
    ).to.deep.equal({ input_tokens: 14 });
  });

  it('reads the token count, and an error in its place', () => {
    const read = (body: unknown) => upstream.decodeResponse(body, createReadContext());
    expect(read({ input_tokens: 14, context_management: {} })).to.deep.equal({ inputTokens: 14, estimated: false });
    for (const body of [{}, [], null, { input_tokens: '14' }]) expect(() => read(body)).to.throw('has no token count');
    expect(() => read({ type: 'error', error: { type: 'overloaded_error', message: 'later' } })).to.throw('later');
  });

  it("sends the client's bytes on its own wire except for the model, and forwards the beta header", () => {
    const inbound = inboundOf(
      { ...prompt, context_management: { edits: [] } },
      { 'anthropic-beta': 'context-management-2025-06-27' },
    );
    const plan = native(inbound, client.decodeRequest(inbound).request, createProfile('messages'));
    expect(plan?.edits).to.deep.equal([{ member: 'model', value: 'model' }]);
    expect(plan?.headers).to.deep.equal({ ...headers, 'anthropic-beta': 'context-management-2025-06-27' });
    const tap = plan?.tap();
    tap?.inspectBody({ input_tokens: 14 });
    expect(tap?.observed).to.deep.equal({ outputChars: 0 });
    tap?.inspectBody({});
    expect(tap?.observed.error).to.include({ code: 'upstream_bad_response' });
  });

  it('the count of tokens has its own address at the provider', async () => {
    const provider = await anthropic.create({ apiKey: 'k', baseUrl: 'https://example.com/base/' }, undefined as never);
    const speech = provider.endpoint('claude').wires.find(({ operation }) => operation === 'count-tokens');
    const call = {
      model: 'claude',
      stream: false,
      body: Buffer.from('{}'),
      headers: {},
      credential: 'key-1',
      signal: new AbortController().signal,
    };
    expect(await speech?.buildRequest(call)).to.deep.include({
      origin: 'https://example.com',
      path: '/base/v1/messages/count_tokens',
    });
  });

  const isOwn = (line: string): boolean => /"style": ?"anthropic-count-tokens"/.test(line);
  const recordings = [
    ...readCorpus('count-tokens.jsonl', 'messages', isOwn),
    ...readCorpus('errors.jsonl', 'messages', isOwn),
  ];
  it('messages token counts have recorded traffic', function () {
    if (!hasCorpus) this.skip();
    expect(recordings).to.have.lengthOf(9);
  });
  const written: Recording = {
    name: 'written',
    origin: 'written by hand after https://platform.claude.com/docs/en/api/messages-count-tokens',
    wire: 'messages',
    response: { status: 200, body: { input_tokens: 14 } },
    expected: { inputTokens: 14 },
  };
  for (const { name, run } of countLaws(messagesCountCodec, [written, ...recordings], { refused })) it(name, run);
});
