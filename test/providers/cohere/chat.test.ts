import { expect } from 'chai';
import type { GenerateRequest } from '../../../core/api/index.ts';
import { foldEvents } from '../../../core/api/codec.ts';
import { createLossList, createProfile, createReadContext, decodeEvents } from '../../../core/testing/index.ts';
import { chatCodec } from '../../../providers/cohere/chat/index.ts';
import { recordings } from './recordings.ts';

const { upstream } = chatCodec;
if (upstream === undefined) throw new Error('the codec has no upstream side');

const base: GenerateRequest = {
  wire: 'chat-completions',
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  choices: 1,
  stream: false,
  includeUsage: true,
  extra: { wire: 'chat-completions', members: {} },
};
const write = (changes: Partial<GenerateRequest>) => {
  const { losses, lose } = createLossList();
  const { body } = upstream.encodeRequest({ ...base, ...changes }, createProfile('cohere-chat'), lose);
  return { body, losses: losses.map(({ field, kind }) => `${field} ${kind}`) };
};
const read = (name: string) =>
  upstream.decodeResponse(recordings.find((recording) => recording.name === name)?.response?.body, createReadContext());
const weather = { name: 'weather', kind: 'function' } as const;
const fail = (status: number, message: string) =>
  upstream.decodeError({ status, headers: {}, body: { id: 'e', message } });

describe('the chat codec of Cohere', () => {
  it('the usage of Cohere is what it bills, and its reasoning is a part of that', () => {
    const { raw: _raw, ...usage } = read('cited.json').usage ?? {};
    expect(usage).to.deep.equal({
      inputUncached: 12,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 9,
      reasoning: 4,
      source: 'provider',
    });
  });

  it('the usage of Cohere without billed units is that of its tokens, the cached ones apart', () => {
    const body = {
      message: { content: [{ type: 'text', text: 'Hi' }] },
      finish_reason: 'COMPLETE',
      usage: { tokens: { input_tokens: 100, output_tokens: 5 }, cached_tokens: 64 },
    };
    expect(upstream.decodeResponse(body, createReadContext()).usage).to.include({
      inputUncached: 36,
      cacheRead: 64,
      output: 5,
    });
  });

  it('a citation of Cohere is that of its own block, with the address and title of its source', () => {
    const [thoughts, text] = read('cited.json').choices[0]?.parts ?? [];
    expect(thoughts).to.deep.equal({ type: 'reasoning', text: 'Look it up.' });
    expect(text?.type === 'text' ? text.citations?.map(({ vendor: _vendor, ...rest }) => rest) : text).to.deep.equal([
      { url: 'https://weather.test/rome', title: 'Weather', start: 7, end: 13 },
    ]);
  });

  it('a plan of Cohere is the text before the calls, and is sent back as the plan', () => {
    const parts = read('calls.json').choices[0]?.parts ?? [];
    expect(parts.map(({ type }) => type)).to.deep.equal(['text', 'tool-call', 'tool-call']);
    const { body } = write({ tools: [weather], turns: [{ role: 'assistant', parts }] });
    expect(body['messages']).to.deep.equal([
      {
        role: 'assistant',
        tool_plan: 'I will ask for both.',
        tool_calls: [
          { id: 'weather_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
          { id: 'weather_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        ],
      },
    ]);
  });

  it('a named tool is the only one that Cohere is sent, and a call is required', () => {
    const tools = [weather, { name: 'time', kind: 'function' }] as const;
    const { body, losses } = write({ tools, toolChoice: { mode: 'required', only: ['weather'] } });
    expect(body['tool_choice']).to.equal('REQUIRED');
    expect(body['tools']).to.have.lengthOf(1);
    expect(losses).to.deep.equal(['tool_choice approximated']);
    expect(write({ tools: [], toolChoice: { mode: 'required' } }).body).to.not.have.any.keys('tools', 'tool_choice');
  });

  it('numbers beyond the range of Cohere are moved into it, and named', () => {
    const { body, losses } = write({ topP: 1, topK: 900, presencePenalty: -1, frequencyPenalty: 0.5 });
    expect(body).to.include({ p: 0.99, k: 500, presence_penalty: 0, frequency_penalty: 0.5 });
    expect(losses).to.deep.equal(['top_p approximated', 'top_k approximated', 'presence_penalty approximated']);
  });

  it('log probabilities of Cohere are those of pieces of the text, without alternatives', () => {
    expect(write({ logprobs: 0 })).to.deep.include({ losses: [] });
    const { body, losses } = write({ logprobs: 2 });
    expect(body['logprobs']).to.equal(true);
    expect(losses).to.deep.equal(['top_logprobs dropped']);
    const pieces = [
      { text: 'Par', token_ids: [1], logprobs: [-0.5] },
      { text: 'is', token_ids: [2, 3], logprobs: [-0.25, -0.5] },
    ];
    const logprobs = [
      { token: 'Par', logprob: -0.5, top: [] },
      { token: 'is', logprob: -0.75, top: [] },
    ];
    const message = { role: 'assistant', content: [{ type: 'text', text: 'Paris' }] };
    const plain = upstream.decodeResponse(
      { id: 'm', message, finish_reason: 'COMPLETE', logprobs: pieces },
      createReadContext(),
    );
    expect(plain.choices[0]?.parts).to.deep.equal([{ type: 'text', text: 'Paris', logprobs }]);
    const streamed = foldEvents(
      decodeEvents(
        chatCodec,
        [
          { type: 'message-start', id: 'm' },
          { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
          ...pieces.map(({ text, ...piece }) => ({
            type: 'content-delta',
            index: 0,
            delta: { message: { content: { text } } },
            logprobs: { text, ...piece },
          })),
          { type: 'content-end', index: 0 },
          { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
        ].map((event) => ({ event: undefined, data: JSON.stringify(event) })),
      ),
    );
    expect(streamed.choices[0]?.parts).to.deep.equal(plain.choices[0]?.parts);
  });

  it('reasoning of Cohere has a budget or is off', () => {
    expect(write({ reasoning: { budget: 500 } }).body['thinking']).to.deep.equal({
      type: 'enabled',
      token_budget: 500,
    });
    expect(write({ reasoning: { effort: 'none' } }).body['thinking']).to.deep.equal({ type: 'disabled' });
    expect(write({ reasoning: { show: true } }).body).to.not.have.property('thinking');
  });

  it('images of tool results follow the results of Cohere, as the user', () => {
    const image = { type: 'media', media: { mediaType: 'image/png', base64: 'AAAA' } } as const;
    const text = { type: 'text', text: 'See.' } as const;
    const { body, losses } = write({
      turns: [{ role: 'user', parts: [{ type: 'tool-result', id: 'c1', failed: false, parts: [text, image] }] }],
    });
    expect(body['messages']).to.deep.equal([
      { role: 'tool', tool_call_id: 'c1', content: 'See.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
    ]);
    expect(losses).to.deep.equal(['messages[0].content[0] approximated']);
  });

  it('failures of Cohere have the class that failover needs', () => {
    const trial = 'You are using a Trial key, which is limited to';
    const classes = (
      [
        [401, 'invalid api token'],
        [402, 'Please add or update your payment method at https://dashboard.cohere.com/billing to continue'],
        [404, "model 'command-x' was removed on September 15, 2025. See the list."],
        [429, `${trial} 20 API calls / minute. You can continue to use the Trial key for free.`],
        [429, `${trial} 1000 API calls / month. You can continue to use the Trial key for free.`],
        [400, 'invalid request: message must be at least 1 token long'],
        [498, 'blocked'],
        [499, 'client closed request'],
        [500, 'internal server error'],
        [503, 'service unavailable'],
        [504, 'timeout'],
      ] as const
    ).map(([status, message]) => fail(status, message).failure);
    expect(classes).to.deep.equal([
      'credential',
      'quota',
      'model-gone',
      'rate-limit',
      'quota',
      'caller-fault',
      'credential',
      'transient',
      'transient',
      'overloaded',
      'timeout',
    ]);
    expect(fail(400, 'too many tokens: total number of tokens in the prompt exceeds the limit').code).to.equal(
      'context_length_exceeded',
    );
  });

  it('a response of Cohere that ends in an error is an error', () => {
    const body = (reason: string) => ({ message: { content: [] }, finish_reason: reason });
    expect(() => upstream.decodeResponse(body('ERROR'), createReadContext())).to.throw(
      "ended the response with 'ERROR'",
    );
    expect(() => upstream.decodeResponse(body('TIMEOUT'), createReadContext()))
      .to.throw()
      .with.property('code', 'upstream_timeout');
  });
});
