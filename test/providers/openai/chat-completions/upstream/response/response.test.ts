import { expect } from 'chai';
import { origin, readResponse, catchError } from '../../harness.ts';

const answer = (message: object, finish: string | null = 'stop', more: object = {}) =>
  readResponse({
    id: 'c',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish, ...more }],
  });
const partsOf = (message: object, finish = 'stop') => answer(message, finish).choices[0]?.parts;
const proof = (value: string) => ({ origin, value });

describe('chat-completions: upstream response', () => {
  it('reads parts in the order reasoning, text, refusal, calls', () => {
    expect(
      partsOf({
        content: 'c',
        refusal: 'r',
        reasoning_content: 'th',
        tool_calls: [{ id: 'i', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      }),
    ).to.deep.equal([
      { type: 'reasoning', text: 'th' },
      { type: 'text', text: 'c' },
      { type: 'refusal', text: 'r' },
      { type: 'tool-call', kind: 'function', id: 'i', name: 'f', input: '{"a":1}' },
    ]);
  });

  it('E6: returns arguments as text, also where a vendor sent an object or nothing', () => {
    const input = (args: unknown) =>
      partsOf({ tool_calls: [{ id: 'i', function: { name: 'f', arguments: args } }] })?.[0];
    expect(input({ a: 1 })).to.include({ input: '{"a":1}' });
    expect(input('')).to.include({ input: '{}' });
    expect(input(undefined)).to.include({ input: '{}' });
  });

  it('E1: gives calls without ids stable ids', () => {
    const read = () =>
      partsOf({ tool_calls: [{ function: { name: 'f' } }, { id: '', function: { name: 'f' } }] })?.map((part) =>
        part.type === 'tool-call' ? part.id : '',
      );
    expect(read()).to.deep.equal(['call_3_0_0', 'call_3_0_1']);
    expect(read()).to.deep.equal(read());
  });

  it('reads custom calls, deprecated calls and the signature of a call', () => {
    expect(partsOf({ tool_calls: [{ id: 'i', type: 'custom', custom: { name: 'p', input: 'free' } }] })).to.deep.equal([
      { type: 'tool-call', kind: 'custom', id: 'i', name: 'p', input: 'free' },
    ]);
    expect(partsOf({ function_call: { name: 'f', arguments: '{}' } })).to.deep.equal([
      { type: 'tool-call', kind: 'function', id: 'call_3_0_0', name: 'f', input: '{}' },
    ]);
    expect(partsOf({ content: 'x', function_call: { name: '', arguments: '' } })).to.deep.equal([
      { type: 'text', text: 'x' },
    ]);
    expect(
      partsOf({
        tool_calls: [{ id: 'i', function: { name: 'f' }, extra_content: { google: { thought_signature: 'S' } } }],
      })?.[0],
    ).to.deep.include({ proof: proof('S') });
  });

  it('reads reasoning from any member that vendors use, once', () => {
    expect(
      partsOf({
        content: 'x',
        reasoning: 'a',
        reasoning_details: [{ type: 'reasoning.text', text: 'a', signature: 'S' }],
      }),
    ).to.deep.equal([
      { type: 'reasoning', text: 'a', proof: proof('S') },
      { type: 'text', text: 'x' },
    ]);
    expect(
      partsOf({ content: 'x', reasoning: 'a', reasoning_details: [{ type: 'reasoning.encrypted', data: 'D' }] }),
    ).to.deep.equal([
      { type: 'reasoning', text: 'a' },
      { type: 'reasoning', text: '', redacted: true, proof: { ...proof('D'), redacted: true } },
      { type: 'text', text: 'x' },
    ]);
    expect(partsOf({ content: 'x', reasoning: 'a' })?.[0]).to.deep.equal({ type: 'reasoning', text: 'a' });
    expect(
      partsOf({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'a' }], signature: 'S' },
          { type: 'text', text: 'x' },
          { type: 'reference', reference_ids: [1] },
        ],
      }),
    ).to.deep.equal([
      { type: 'reasoning', text: 'a', proof: proof('S') },
      { type: 'text', text: 'x' },
      { type: 'opaque', wire: 'chat-completions', value: { type: 'reference', reference_ids: [1] } },
    ]);
  });

  it('reads content that is an object as its JSON', () => {
    expect(partsOf({ content: { answer: 42 } })).to.deep.equal([{ type: 'text', text: '{"answer":42}' }]);
  });

  it('puts citations on the text and reads images as media', () => {
    const annotations = [
      { type: 'url_citation', url_citation: { url: 'https://x', title: 'X', start_index: 0, end_index: 1 } },
    ];
    expect(partsOf({ content: 'x', annotations })).to.deep.equal([
      {
        type: 'text',
        text: 'x',
        citations: [
          {
            url: 'https://x',
            title: 'X',
            start: 0,
            end: 1,
            vendor: { wire: 'chat-completions', value: annotations[0] },
          },
        ],
      },
    ]);
    expect(partsOf({ content: 'x', annotations: [] })).to.deep.equal([{ type: 'text', text: 'x' }]);
    expect(
      partsOf({ content: '', images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } }] }),
    ).to.deep.equal([{ type: 'media', media: { mediaType: 'image/png', base64: 'QQ==' } }]);
  });

  const finishes: readonly (readonly [string | null, object, string])[] = [
    ['stop', { content: 'x' }, 'stop'],
    ['length', { content: 'x' }, 'length'],
    ['tool_calls', { tool_calls: [{ id: 'i', function: { name: 'f' } }] }, 'tool_calls'],
    ['stop', { tool_calls: [{ id: 'i', function: { name: 'f' } }] }, 'tool_calls'],
    ['length', { tool_calls: [{ id: 'i', function: { name: 'f', arguments: '{"a' } }] }, 'length'],
    ['function_call', { function_call: { name: 'f' } }, 'tool_calls'],
    ['content_filter', { content: '' }, 'content_filter'],
    ['stop', { refusal: 'no' }, 'refusal'],
    ['eos', { content: 'x' }, 'stop'],
    ['model_length', { content: 'x' }, 'length'],
    ['something_new', { content: 'x' }, 'stop'],
    ['', { content: 'x' }, 'stop'],
    [null, { content: 'x' }, 'stop'],
  ];
  for (const [word, message, reason] of finishes) {
    it(`reads '${word}' with ${Object.keys(message).join()} as ${reason} and keeps the vendor's reason`, () => {
      expect(answer(message, word).choices[0]?.finish).to.deep.equal(
        word === null || word === '' ? { reason } : { reason, vendor: word },
      );
    });
  }

  it('reads a finish reason that means failure as an error that no circuit counts', () => {
    for (const word of ['error', 'insufficient_system_resource', 'abort'])
      expect(catchError(() => answer({ content: 'x' }, word))).to.include({
        code: 'upstream_error',
        failure: 'unknown',
      });
  });

  it('rejects a response without content and finish reason', () => {
    expect(catchError(() => answer({ content: '' }, null)).code).to.equal('upstream_bad_response');
    for (const body of [undefined, null, 'x', [], {}, { choices: [] }, { choices: {} }])
      expect(catchError(() => readResponse(body)).code).to.equal('upstream_bad_response');
  });

  it('returns an error inside a 200 as that error', () => {
    expect(catchError(() => readResponse({ error: { message: 'Overloaded', code: 503 } })).failure).to.equal(
      'overloaded',
    );
    expect(catchError(() => readResponse({ error: 'broken', choices: [] })).failure).to.equal('transient');
    expect(
      catchError(() => answer({ content: '' }, 'error', { error: { code: 429, message: 'slow' } })).failure,
    ).to.equal('rate-limit');
    expect(
      readResponse({ error: null, choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] }).choices,
    ).to.have.length(1);
  });

  it('keeps the order of choices and unknown members', () => {
    const { choices, extra, id, model } = readResponse({
      id: '',
      model: 'm',
      system_fingerprint: 'fp',
      choices: [
        { index: 1, message: { content: 'b' }, finish_reason: 'stop' },
        { index: 0, message: { content: 'a', audio: { id: 'x' } }, finish_reason: 'stop', logprobs: { content: [] } },
      ],
    });
    expect([id, model, extra?.members]).to.deep.equal([undefined, 'm', { system_fingerprint: 'fp' }]);
    expect(choices.map(({ parts }) => parts)).to.deep.equal([
      [{ type: 'text', text: 'a' }],
      [{ type: 'text', text: 'b' }],
    ]);
    expect(choices[0]?.extra?.members).to.deep.equal({ 'message.audio': { id: 'x' } });
    expect(choices[1]).to.not.have.property('extra');
  });
});
