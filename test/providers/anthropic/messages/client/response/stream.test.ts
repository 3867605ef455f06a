import { expect } from 'chai';
import { GatewayError, type JsonObject, type Usage } from '../../../../../../core/api/index.ts';
import { unsealProof, type GenerateEvent } from '../../../../../../core/api/codec.ts';
import { decode, writeContext, writeStream } from '../../exchange.ts';

const usage: Usage = {
  inputUncached: 12,
  cacheRead: 4000,
  cacheWrite5m: 500,
  cacheWrite1h: 0,
  output: 90,
  reasoning: 60,
  source: 'provider',
};
const delta = (part: number, text: string): GenerateEvent => ({ type: 'part-delta', choice: 0, part, text });
const start = (part: number, kind: 'text' | 'reasoning' | 'refusal'): GenerateEvent => ({
  type: 'part-start',
  choice: 0,
  part,
  kind,
});
const call = (part: number, id = `c${part}`): GenerateEvent => ({
  type: 'part-start',
  choice: 0,
  part,
  kind: 'tool-call',
  call: { id, name: 'f', kind: 'function' },
});
const end = (part: number): GenerateEvent => ({ type: 'part-end', choice: 0, part });
const finish: readonly GenerateEvent[] = [
  { type: 'choice-end', choice: 0, finish: { reason: 'stop' } },
  { type: 'response-end' },
];
const text = (part: number, ...pieces: readonly string[]): readonly GenerateEvent[] => [
  start(part, 'text'),
  ...pieces.map((piece) => delta(part, piece)),
  end(part),
];

/** The stream as short words: the type, the index, and what the delta or block says. */
const sketch = (events: readonly JsonObject[]): readonly string[] =>
  events.map(({ type, index, delta: change, content_block: block }) => {
    const { text: words, thinking, signature, partial_json: json } = (change ?? {}) as JsonObject;
    const said = (block as JsonObject | undefined)?.['type'] ?? words ?? thinking ?? signature ?? json;
    return [String(type).replace('content_block_', ''), index, said].filter((item) => item !== undefined).join(' ');
  });
const sketchOf = (...events: readonly GenerateEvent[]): readonly string[] =>
  sketch(writeStream([{ type: 'response-start' }, ...events, ...finish])).slice(1, -2);

describe('messages client: streams', () => {
  it('names each event in the frame and in the data, and starts and ends as the grammar requires', () => {
    const events = writeStream([
      { type: 'response-start', id: 'msg_1', model: 'p/m' },
      ...text(0, 'a', 'b'),
      ...finish,
    ]);
    for (const { event, type } of events) expect(event).to.equal(type);
    expect(sketch(events)).to.deep.equal([
      'message_start',
      'start 0 text',
      'delta 0 a',
      'delta 0 b',
      'stop 0',
      'message_delta',
      'message_stop',
    ]);
    expect(events[0]?.['message']).to.deep.include({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'p/m',
      content: [],
      stop_reason: null,
      stop_sequence: null,
    });
  });

  it('starts with the estimate of the input and ends with the usage of the provider', () => {
    const events = writeStream([{ type: 'response-start' }, ...text(0, 'a'), { type: 'usage', usage }, ...finish]);
    expect((events[0]?.['message'] as JsonObject | undefined)?.['usage']).to.deep.include({
      input_tokens: 7,
      output_tokens: 0,
      cache_read_input_tokens: 0,
    });
    expect(events.at(-2)?.['usage']).to.deep.include({
      input_tokens: 12,
      cache_read_input_tokens: 4000,
      cache_creation_input_tokens: 500,
      output_tokens: 90,
    });
  });

  it('starts with the usage of the provider if it is reported early', () => {
    const events = writeStream([{ type: 'response-start' }, { type: 'usage', usage }, ...text(0, 'a'), ...finish]);
    expect((events[0]?.['message'] as JsonObject | undefined)?.['usage']).to.deep.include({
      input_tokens: 12,
      cache_read_input_tokens: 4000,
    });
  });

  it('opens no block for text that never arrives, and keeps the indices dense', () => {
    expect(sketchOf(...text(0), start(1, 'reasoning'), end(1), ...text(2, 'a'), call(3), end(3))).to.deep.equal([
      'start 0 text',
      'delta 0 a',
      'stop 0',
      'start 1 tool_use',
      'delta 1 ',
      'stop 1',
    ]);
  });

  it('sends a signature whole, once, after the thinking', () => {
    const proof = { origin: { provider: 'google', family: 'gemini' }, value: 'SIG' };
    const events = writeStream([
      { type: 'response-start' },
      start(0, 'reasoning'),
      delta(0, 'a'),
      delta(0, 'b'),
      { type: 'part-end', choice: 0, part: 0, proof },
      ...finish,
    ]);
    expect(events[1]?.['content_block']).to.deep.equal({ type: 'thinking', thinking: '', signature: '' });
    const signatures = events.flatMap(({ delta: change }) =>
      (change as JsonObject | undefined)?.['type'] === 'signature_delta' ? [(change as JsonObject)['signature']] : [],
    );
    expect(signatures.map((signature) => unsealProof(String(signature)))).to.deep.equal([proof]);
    expect(sketch(events).slice(1, 4)).to.deep.equal(['start 0 thinking', 'delta 0 a', 'delta 0 b']);
    expect(events[5]?.['type']).to.equal('content_block_stop');
  });

  it('writes redacted thinking as a block without deltas', () => {
    const events = writeStream([
      { type: 'response-start' },
      { type: 'part-start', choice: 0, part: 0, kind: 'reasoning', redacted: true },
      { type: 'part-end', choice: 0, part: 0, proof: { origin: undefined, value: 'DATA' } },
      ...finish,
    ]);
    expect(events[1]?.['content_block']).to.deep.equal({ type: 'redacted_thinking', data: 'DATA' });
    expect(events[2]?.['type']).to.equal('content_block_stop');
  });

  it('omits hidden thinking and keeps its signature', () => {
    const request = decode({ thinking: { type: 'adaptive', display: 'omitted' } });
    const events = writeStream(
      [
        { type: 'response-start' },
        start(0, 'reasoning'),
        delta(0, 'secret'),
        { type: 'part-end', choice: 0, part: 0, proof: { origin: undefined, value: 'SIG' } },
        start(1, 'reasoning'),
        delta(1, 'secret'),
        end(1),
        ...finish,
      ],
      writeContext({ request }),
    );
    expect(sketch(events).slice(1, -2)).to.deep.equal(['start 0 thinking', 'delta 0 SIG', 'stop 0']);
  });

  it('buffers interleaved parts until the part before has ended (E52)', () => {
    expect(
      sketchOf(
        call(0),
        call(1),
        start(2, 'text'),
        delta(1, '{"b"'),
        delta(0, '{}'),
        delta(2, 'later'),
        delta(1, ':1}'),
        end(1),
        end(2),
        end(0),
      ),
    ).to.deep.equal([
      'start 0 tool_use',
      'delta 0 {}',
      'stop 0',
      'start 1 tool_use',
      'delta 1 {"b"',
      'delta 1 :1}',
      'stop 1',
      'start 2 text',
      'delta 2 later',
      'stop 2',
    ]);
  });

  it('streams the oldest open part without delay', () => {
    const events = writeStream([{ type: 'response-start' }, call(0), call(1), delta(1, 'held'), delta(0, 'now')]);
    expect(sketch(events)).to.deep.equal(['message_start', 'start 0 tool_use', 'delta 0 now']);
  });

  it('sends one empty fragment for a call without arguments (E7)', () => {
    expect(sketchOf(call(0), end(0))).to.deep.equal(['start 0 tool_use', 'delta 0 ', 'stop 0']);
  });

  it('sends the proof of a call in a block after it', () => {
    const proof = { origin: { provider: 'google', family: 'gemini' }, value: 'SIG' };
    const events = writeStream([
      { type: 'response-start' },
      call(0, 'c'),
      delta(0, '{}'),
      { type: 'part-end', choice: 0, part: 0, proof },
      ...finish,
    ]);
    expect(sketch(events).slice(3, 5)).to.deep.equal(['stop 0', 'start 1 thinking']);
    const signature = (events[5]?.['delta'] as JsonObject | undefined)?.['signature'];
    const content = [
      { type: 'tool_use', id: 'c', name: 'f', input: {} },
      { type: 'thinking', thinking: '', signature },
    ];
    const { turns } = decode({ messages: [{ role: 'assistant', content }] });
    expect(turns[0]?.parts).to.deep.equal([
      { type: 'tool-call', id: 'c', name: 'f', kind: 'function', input: '{}', proof },
    ]);
  });

  it('writes citations before their block ends', () => {
    const citation = { type: 'web_search_result_location', url: 'u' };
    const events = writeStream([
      { type: 'response-start' },
      start(0, 'text'),
      delta(0, 'a'),
      {
        type: 'part-end',
        choice: 0,
        part: 0,
        citations: [
          { url: 'u', vendor: { wire: 'messages', value: citation } },
          { vendor: { wire: 'responses', value: {} } },
        ],
      },
      ...finish,
    ]);
    expect(events[3]?.['delta']).to.deep.equal({ type: 'citations_delta', citation });
    expect(events[4]?.['type']).to.equal('content_block_stop');
  });

  it('a messages stream ignores all choices but the first', () => {
    expect(
      sketchOf(
        { type: 'part-start', choice: 1, part: 9, kind: 'text' },
        { type: 'part-delta', choice: 1, part: 9, text: 'x' },
        { type: 'part-end', choice: 1, part: 9 },
      ),
    ).to.deep.equal([]);
  });

  it('a messages stream has the stop reason', () => {
    const events = writeStream([
      { type: 'response-start' },
      { type: 'choice-end', choice: 0, finish: { reason: 'stop_sequence', sequence: 'END' } },
      { type: 'response-end' },
    ]);
    expect(events.at(-2)?.['delta']).to.deep.equal({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
      stop_details: null,
      container: null,
    });
  });

  it('writes an error as the first event, without a message before it (E31)', () => {
    expect(writeStream([{ type: 'error', error: new GatewayError('upstream_overloaded') }])).to.deep.equal([
      { event: 'error', type: 'error', error: { type: 'overloaded_error', message: 'The provider is overloaded.' } },
    ]);
  });

  it('closes neither block nor message when an error cuts a call off (E32)', () => {
    const events = writeStream([
      { type: 'response-start' },
      call(0),
      delta(0, '{"cit'),
      { type: 'error', error: new GatewayError('upstream_truncated') },
    ]);
    expect(sketch(events)).to.deep.equal(['message_start', 'start 0 tool_use', 'delta 0 {"cit', 'error']);
  });

  it('writes none of the framing of other vendors (E28, E29)', () => {
    const types = new Set(
      writeStream([{ type: 'response-start' }, ...text(0, 'a'), ...finish]).map(({ type }) => type),
    );
    expect([...types]).to.have.members([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });
});
