import { expect } from 'chai';
import type { Citation, Finish, Part, Usage } from '../../../../../../core/api/index.ts';
import { unsealProof } from '../../../../../../core/api/codec.ts';
import { decode, readResponse, respond } from '../../harness.ts';

const usage: Usage = {
  inputUncached: 12,
  cacheRead: 4_000,
  cacheWrite5m: 300,
  cacheWrite1h: 200,
  output: 90,
  reasoning: 60,
  tier: 'default',
  source: 'provider',
};
const stop: Finish = { reason: 'stop' };
const answer = (parts: readonly Part[], finish = stop) => respond({ choices: [{ parts, finish }] });
const messageOf = (body: Record<string, unknown>) =>
  (body['choices'] as { message: Record<string, unknown>; finish_reason: string }[])[0];

describe('chat-completions: client response', () => {
  it('writes the members of the wire, with the given ids and times', () => {
    const { body } = respond({ model: 'm', choices: [{ parts: [{ type: 'text', text: 'Hi' }], finish: stop }], usage });
    expect(body).to.deep.equal({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_763,
      model: 'm',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 4_512,
        completion_tokens: 90,
        total_tokens: 4_602,
        prompt_tokens_details: { cached_tokens: 4_000, cache_write_tokens: 500 },
        completion_tokens_details: { reasoning_tokens: 60 },
      },
      service_tier: 'default',
    });
  });

  it('generates an id and a model name when the provider sent none', () => {
    expect(respond({ id: '', choices: [] }).body).to.include({ id: 'chatcmpl-1', model: 'unknown' });
  });

  it('E33: writes a refusal without text as null content, the explanation and content_filter', () => {
    const choice = messageOf(answer([], { reason: 'refusal', explanation: 'X' }).body);
    expect(choice?.message).to.include({ content: null, refusal: 'X' });
    expect(choice?.finish_reason).to.equal('content_filter');
  });

  it('keeps the finish reason stop of a refusal from OpenAI', () => {
    const response = readResponse({ choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] });
    expect(response.choices[0]?.finish).to.deep.equal({ reason: 'refusal', vendor: 'stop' });
    expect(messageOf(respond(response).body)).to.deep.include({
      finish_reason: 'stop',
      message: { role: 'assistant', content: null, refusal: 'No.' },
    });
  });

  it('E33: reads a refusal with null content back as a refusal', () => {
    const again = readResponse(answer([{ type: 'refusal', text: 'No.' }], { reason: 'refusal' }).body);
    expect(again.choices[0]).to.deep.equal({
      parts: [{ type: 'refusal', text: 'No.' }],
      finish: { reason: 'refusal', vendor: 'content_filter' },
    });
  });

  it('E34: writes a blocked prompt as one choice with null content', () => {
    const { body } = answer([], { reason: 'content_filter' });
    expect(messageOf(body)?.message['content']).to.equal(null);
    expect(body['choices']).to.have.length(1);
  });

  it('E50: writes reasoning without text as empty content with the finish reason length', () => {
    const choice = messageOf(answer([{ type: 'reasoning', text: 'hm' }], { reason: 'length' }).body);
    expect(choice?.message).to.include({ content: '', reasoning_content: 'hm' });
    expect(choice?.finish_reason).to.equal('length');
  });

  it('E38: writes redacted reasoning as an encrypted detail, which is read back unchanged', () => {
    const proof = { origin: { provider: 'a', family: 'anthropic' }, value: 'BLOB', redacted: true as const };
    const { body } = answer([
      { type: 'reasoning', text: '', redacted: true, proof },
      { type: 'reasoning', text: 'hm', proof },
      { type: 'text', text: 't' },
    ]);
    const message = messageOf(body)?.message ?? {};
    const details = message['reasoning_details'] as Record<string, string>[];
    expect(details.map(({ type, index, format }) => [type, index, format])).to.deep.equal([
      ['reasoning.encrypted', 0, 'anthropic-claude-v1'],
      ['reasoning.text', 1, 'anthropic-claude-v1'],
    ]);
    expect(unsealProof(details[0]?.['data'] ?? '')).to.deep.equal(proof);
    const { turns } = decode({ messages: [message] });
    expect(turns[0]?.parts).to.deep.equal([
      { type: 'reasoning', text: '', redacted: true, proof },
      { type: 'reasoning', text: 'hm', proof },
      { type: 'text', text: 't' },
    ]);
  });

  it('leaves out excluded reasoning but bills it', () => {
    const { body } = respond(
      {
        choices: [
          {
            parts: [
              { type: 'reasoning', text: 'secret' },
              { type: 'text', text: 't' },
            ],
            finish: stop,
          },
        ],
        usage,
      },
      decode({ reasoning: { exclude: true } }),
    );
    expect(JSON.stringify(body)).to.not.contain('secret');
    expect(body['usage']).to.deep.include({ completion_tokens: 90 });
  });

  it('writes the arguments of calls as text, and an empty input as {}', () => {
    const choice = messageOf(
      answer(
        [
          { type: 'tool-call', id: 'a', name: 'f', kind: 'function', input: '' },
          { type: 'tool-call', id: 'b', name: 'g', kind: 'custom', input: 'free' },
        ],
        { reason: 'tool_calls' },
      ).body,
    );
    expect(choice?.message).to.deep.equal({
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
        { id: 'b', type: 'custom', custom: { name: 'g', input: 'free' } },
      ],
    });
  });

  it('writes function_call for a client of the deprecated functions', () => {
    const request = decode({ functions: [{ name: 'f' }] });
    const part: Part = { type: 'tool-call', id: 'a', name: 'f', kind: 'function', input: '{"a":1}' };
    const { body, losses } = respond(
      { choices: [{ parts: [part, part], finish: { reason: 'tool_calls' } }] },
      { ...request },
    );
    expect(messageOf(body)).to.deep.include({ finish_reason: 'function_call' });
    expect(messageOf(body)?.message).to.deep.include({ function_call: { name: 'f', arguments: '{"a":1}' } });
    expect(messageOf(body)?.message).to.not.have.property('tool_calls');
    expect(losses.map(({ field }) => field)).to.deep.equal(['choices[0].message.function_call']);
  });

  const foreign = (citation: Omit<Citation, 'vendor'>): Citation => ({
    ...citation,
    vendor: { wire: 'messages', value: {} },
  });

  it('writes citations with an address, each with the span of its own text, and reports the others as lost', () => {
    const { body, losses } = answer([
      { type: 'text', text: 'a😀c' },
      {
        type: 'text',
        text: 'de',
        citations: [
          foreign({ url: 'https://x', title: 'X' }),
          foreign({ url: 'https://y', start: 1, end: 2 }),
          foreign({}),
        ],
      },
    ]);
    expect(messageOf(body)?.message['annotations']).to.deep.equal([
      { type: 'url_citation', url_citation: { start_index: 3, end_index: 5, url: 'https://x', title: 'X' } },
      { type: 'url_citation', url_citation: { start_index: 4, end_index: 5, url: 'https://y', title: 'https://y' } },
    ]);
    expect(losses.map(({ field, kind }) => [field, kind])).to.deep.equal([
      ['choices[0].message.annotations', 'dropped'],
    ]);
  });

  it('reports the signature of a text as lost', () => {
    const { losses } = answer([{ type: 'text', text: 'a', proof: { origin: undefined, value: 'S' } }]);
    expect(losses.map(({ field, kind }) => [field, kind])).to.deep.equal([['choices[0].message.content', 'dropped']]);
  });

  it('returns annotations of this wire that have no address', () => {
    const file = { type: 'file', file: { hash: 'h' } };
    const { body, losses } = answer([
      { type: 'text', text: 'abc', citations: [{ vendor: { wire: 'chat-completions', value: file } }] },
    ]);
    expect(messageOf(body)?.message['annotations']).to.deep.equal([file]);
    expect(losses).to.deep.equal([]);
  });

  it('writes images, and reports other media and blocks of other wires as lost', () => {
    const { body, losses } = answer([
      { type: 'media', media: { mediaType: 'image/png', base64: 'QQ==' } },
      { type: 'media', media: { mediaType: 'audio/wav', base64: 'QQ==' } },
      { type: 'opaque', wire: 'messages', value: {} },
    ]);
    expect(messageOf(body)?.message['images']).to.deep.equal([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } },
    ]);
    expect(losses).to.have.length(2);
  });

  it('returns extra members to a client of the same wire, and reports those of other wires as lost', () => {
    const added = { system_fingerprint: 'fp', prompt_filter_results: [1] };
    const body = {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'x', audio: { id: 'a' } },
          content_filter_results: {},
          finish_reason: 'stop',
        },
      ],
      ...added,
    };
    const { body: written, losses } = respond(readResponse(body));
    expect(written).to.deep.include(added);
    expect(messageOf(written)).to.deep.include({ content_filter_results: {} });
    expect(messageOf(written)?.message).to.deep.include({ audio: { id: 'a' } });
    expect(losses).to.deep.equal([]);
    const lost = respond({
      choices: [{ parts: [], finish: stop, extra: { wire: 'messages', members: { container: 1 } } }],
    }).losses;
    expect(lost.map(({ field }) => field)).to.deep.equal(['choices[0].container']);
  });

  const written: readonly (readonly [Finish['reason'], string])[] = [
    ['stop', 'stop'],
    ['stop_sequence', 'stop'],
    ['length', 'length'],
    ['tool_calls', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['refusal', 'content_filter'],
    ['pause', 'stop'],
    ['context_overflow', 'length'],
  ];
  for (const [reason, word] of written) {
    it(`writes the finish ${reason} as ${word}`, () => {
      expect(messageOf(answer([{ type: 'text', text: 'x' }], { reason }).body)?.finish_reason).to.equal(word);
    });
  }
});
