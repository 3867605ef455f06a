import * as fc from 'fast-check';
import { expect } from 'chai';
import type { GenerateResponse, JsonObject, Part } from '../../../../../../core/api/index.ts';
import { foldEvents, type GenerateEvent, omitUndefined, unfoldResponse } from '../../../../../../core/api/codec.ts';
import {
  clientSide,
  frames,
  framesOf,
  origin,
  readContext,
  readStream,
  upstreamSide,
  writeContext,
  writeSse,
} from '../../exchange.ts';

const messageStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    model: 'claude',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 12, cache_read_input_tokens: 4000, output_tokens: 1 },
  },
};
const blockStart = (index: number, block: JsonObject) => ({ type: 'content_block_start', index, content_block: block });
const blockDelta = (index: number, delta: JsonObject) => ({ type: 'content_block_delta', index, delta });
const blockStop = (index: number) => ({ type: 'content_block_stop', index });
const messageDelta = (reason: string | null, usage?: JsonObject) =>
  omitUndefined({
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage,
  });
const messageStop = { type: 'message_stop' };

const events = (...source: readonly JsonObject[]) => readStream(frames(...source));
const fold = (...source: readonly JsonObject[]) => foldEvents(events(messageStart, ...source, messageStop));
const typesOf = (list: readonly GenerateEvent[]) => list.map(({ type }) => type);

describe('messages upstream: streams', () => {
  it('emits the start, the parts, the usage and the end', () => {
    expect(
      events(
        messageStart,
        { type: 'ping' },
        blockStart(0, { type: 'text', text: '' }),
        blockDelta(0, { type: 'text_delta', text: 'a' }),
        blockStop(0),
        messageDelta('end_turn', { output_tokens: 5 }),
        messageStop,
      ).map(({ type, ...rest }) => (type === 'usage' ? type : { type, ...rest })),
    ).to.deep.equal([
      { type: 'response-start', id: 'msg_1', model: 'claude' },
      'usage',
      { type: 'part-start', choice: 0, part: 0, kind: 'text' },
      { type: 'part-delta', choice: 0, part: 0, text: 'a' },
      { type: 'part-end', choice: 0, part: 0 },
      'usage',
      { type: 'choice-end', choice: 0, finish: { reason: 'stop', vendor: 'end_turn' } },
      { type: 'response-end' },
    ]);
  });

  it('merges the usage of both events: later counts win, null keeps the earlier', () => {
    const { usage } = fold(
      messageDelta('end_turn', { output_tokens: 5, cache_read_input_tokens: null }),
      messageDelta('end_turn', { output_tokens: 9, input_tokens: 20 }),
    );
    expect(usage).to.deep.include({ inputUncached: 20, cacheRead: 4000, output: 9 });
  });

  it('ignores pings, unknown events and unknown deltas', () => {
    const { choices } = fold(
      { type: 'ping' },
      { type: 'invented', index: 0 },
      { type: 'constructor' },
      blockStart(0, { type: 'text', text: '' }),
      blockDelta(0, { type: 'invented_delta', text: 'no' }),
      blockDelta(0, { type: 'text_delta', text: 'yes' }),
      blockStop(0),
    );
    expect(choices[0]?.parts).to.deep.equal([{ type: 'text', text: 'yes' }]);
  });

  it('reads arguments from deltas or from the start, once, and {} if there are none (E7)', () => {
    const call = (index: number, input: JsonObject) =>
      blockStart(index, { type: 'tool_use', id: `t${index}`, name: 'f', input });
    const json = (index: number, partial: string) =>
      blockDelta(index, { type: 'input_json_delta', partial_json: partial });
    const { choices } = fold(
      call(0, {}),
      json(0, ''),
      blockStop(0),
      call(1, { a: 1 }),
      blockStop(1),
      call(2, {}),
      json(2, '{"b"'),
      json(2, ':2}'),
      blockStop(2),
      call(3, {}),
      blockStop(3),
    );
    expect(choices[0]?.parts.map((part) => (part.type === 'tool-call' ? part.input : part.type))).to.deep.equal([
      '{}',
      '{"a":1}',
      '{"b":2}',
      '{}',
    ]);
  });

  it('stamps signatures and redacted thinking with their origin', () => {
    const { choices } = fold(
      blockStart(0, { type: 'thinking', thinking: '', signature: '' }),
      blockDelta(0, { type: 'thinking_delta', thinking: 'hm' }),
      blockDelta(0, { type: 'signature_delta', signature: 'SIG' }),
      blockStop(0),
      blockStart(1, { type: 'redacted_thinking', data: 'D' }),
      blockStop(1),
    );
    expect(choices[0]?.parts).to.deep.equal([
      { type: 'reasoning', text: 'hm', proof: { origin, value: 'SIG' } },
      { type: 'reasoning', text: '', redacted: true, proof: { origin, value: 'D', redacted: true } },
    ]);
  });

  it('collects citations, server tool input and unknown blocks', () => {
    const { choices } = fold(
      blockStart(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      blockDelta(0, { type: 'input_json_delta', partial_json: '{"query":"q"}' }),
      blockStop(0),
      blockStart(1, { type: 'compaction', content: null }),
      blockDelta(1, { type: 'compaction_delta', content: 'sum' }),
      blockStop(1),
      blockStart(2, { type: 'text', text: 'x', citations: [] }),
      blockDelta(2, { type: 'citations_delta', citation: { type: 'page_location' } }),
      blockStop(2),
    );
    expect(choices[0]?.parts).to.deep.equal([
      {
        type: 'opaque',
        wire: 'messages',
        value: { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
        search: { id: 's', queries: ['q'] },
      },
      { type: 'opaque', wire: 'messages', value: { type: 'compaction', content: 'sum' } },
      { type: 'text', text: 'x', citations: [{ vendor: { wire: 'messages', value: { type: 'page_location' } } }] },
    ]);
  });

  it('joins the halves of a character that was cut between deltas (E39)', () => {
    const list = events(
      messageStart,
      blockStart(0, { type: 'text', text: '' }),
      blockDelta(0, { type: 'text_delta', text: 'a\ud83d' }),
      blockDelta(0, { type: 'text_delta', text: '\ude00b' }),
      blockStop(0),
      messageStop,
    );
    expect(list.flatMap((event) => (event.type === 'part-delta' ? [event.text] : []))).to.deep.equal(['a', '😀b']);
  });

  it('reads deltas whose block was never started', () => {
    expect(
      fold(
        blockDelta(0, { type: 'thinking_delta', thinking: 't' }),
        blockStop(0),
        blockDelta(1, { type: 'text_delta', text: 'a' }),
      ).choices[0]?.parts,
    ).to.deep.equal([
      { type: 'reasoning', text: 't' },
      { type: 'text', text: 'a' },
    ]);
  });

  it('ends parts that the vendor left open', () => {
    const list = events(messageStart, blockStart(0, { type: 'text', text: 'a' }), messageStop);
    expect(typesOf(list).filter((type) => type.startsWith('part'))).to.deep.equal([
      'part-start',
      'part-delta',
      'part-end',
    ]);
  });

  it('reads a response that is whole in its start event', () => {
    const whole = {
      type: 'message_start',
      message: {
        id: 'm',
        model: 'c',
        content: [{ type: 'tool_use', id: 't', name: 'f', input: { a: 1 } }],
        stop_reason: 'tool_use',
        usage: {},
      },
    };
    expect(typesOf(events(whole, messageStop)).filter((type) => type === 'part-end')).to.have.length(1);
    expect(foldEvents(events(whole, messageStop)).choices).to.deep.equal([
      {
        parts: [{ type: 'tool-call', id: 't', name: 'f', kind: 'function', input: '{"a":1}' }],
        finish: { reason: 'tool_calls', vendor: 'tool_use' },
      },
    ]);
  });

  it('ends in an error if the stream closes without message_stop (E30)', () => {
    const all = [
      messageStart,
      blockStart(0, { type: 'text', text: '' }),
      blockDelta(0, { type: 'text_delta', text: 'a' }),
      blockStop(0),
      messageDelta('end_turn', {}),
    ];
    for (let cut = 0; cut <= all.length; cut += 1) {
      const list = events(...all.slice(0, cut));
      const last = list.at(-1);
      expect(last?.type === 'error' ? last.error.code : last?.type, `after ${cut}`).to.equal('upstream_truncated');
      expect(typesOf(list).filter((type) => type === 'error' || type === 'response-end')).to.have.length(1);
    }
  });

  it('turns an error event into the matching failure and ends there (E31)', () => {
    const kinds = {
      overloaded_error: 'overloaded',
      api_error: 'transient',
      rate_limit_error: 'rate-limit',
      timeout_error: 'timeout',
      invalid_request_error: 'caller-fault',
      unheard_error: 'transient',
    };
    for (const [type, failure] of Object.entries(kinds)) {
      const list = events(messageStart, { type: 'error', error: { type, message: 'm' } }, messageStop);
      const last = list.at(-1);
      expect(last?.type === 'error' ? last.error.failure : last?.type, type).to.equal(failure);
    }
  });

  it('ends in an error if an event is not JSON, and ignores a stray [DONE]', () => {
    const bad = readStream([...frames(messageStart), { event: 'content_block_delta', data: '{"type":' }]);
    const last = bad.at(-1);
    expect(last?.type === 'error' ? last.error.code : last?.type).to.equal('upstream_bad_response');
    expect(
      readStream([
        ...frames(messageStart, messageDelta('end_turn', {}), messageStop),
        { event: undefined, data: '[DONE]' },
      ]).at(-1)?.type,
    ).to.equal('response-end');
  });

  it('starts the response even if the vendor sent no message_start', () => {
    for (const first of [
      blockStart(0, { type: 'text', text: 'a' }),
      messageDelta('end_turn', { output_tokens: 1 }),
      { type: 'message_start', message: null },
    ]) {
      expect(
        events(first, messageDelta('end_turn', { output_tokens: 1 }), messageStop)[0]?.type,
        String(first['type']),
      ).to.equal('response-start');
    }
  });

  it('ends in an error if there is neither content nor a stop reason', () => {
    for (const silent of [
      [],
      [blockStart(0, { type: 'text', text: '' })],
      [messageDelta(null, { output_tokens: 1 })],
    ]) {
      const last = events(messageStart, ...silent, messageStop).at(-1);
      expect(last?.type === 'error' ? last.error.code : last?.type).to.equal('upstream_bad_response');
    }
    expect(events(messageStart, blockStart(0, { type: 'text', text: 'a' }), messageStop).at(-1)?.type).to.equal(
      'response-end',
    );
  });

  it('a decoder emits nothing after its end', () => {
    const list = events(
      messageStart,
      messageDelta('end_turn', {}),
      messageStop,
      blockStart(0, { type: 'text', text: 'late' }),
    );
    expect(list.at(-1)?.type).to.equal('response-end');
  });
});

const proof = fc
  .option(fc.base64String({ minLength: 4, maxLength: 12 }), { nil: undefined })
  .map((value) => (value === undefined ? {} : { proof: { origin: undefined, value } }));
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const part: fc.Arbitrary<Part> = fc.oneof(
  words.map((text): Part => ({ type: 'text', text })),
  fc.tuple(words, proof).map(([text, signed]): Part => ({ type: 'reasoning', text, ...signed })),
  fc
    .tuple(fc.uuid(), fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.jsonValue()))
    .map(([id, input]): Part => ({ type: 'tool-call', id, name: 'f', kind: 'function', input: JSON.stringify(input) })),
);
const response: fc.Arbitrary<GenerateResponse> = fc.record({
  id: fc.constant('msg_1'),
  model: fc.constant('m'),
  choices: fc
    .array(part, { maxLength: 6 })
    .map((parts) => [{ parts, finish: { reason: 'stop', vendor: 'end_turn' } as const }]),
  usage: fc.record({
    inputUncached: fc.nat(100_000_000),
    cacheRead: fc.nat(100_000_000),
    cacheWrite5m: fc.nat(100_000_000),
    cacheWrite1h: fc.nat(100_000_000),
    output: fc.integer({ min: 100, max: 1_000 }),
    reasoning: fc.nat(100),
    source: fc.constant('provider' as const),
  }),
});

/** Proofs are stamped with the reader's origin, and arguments may be spelt anew. */
const comparable = ({ choices, usage, ...head }: GenerateResponse): unknown => ({
  ...head,
  usage: { ...usage, raw: undefined },
  choices: choices.map(({ parts, finish }) => ({
    finish,
    parts: parts.map((item) =>
      item.type === 'tool-call'
        ? { ...item, input: JSON.parse(item.input) as unknown }
        : item.type === 'reasoning'
          ? { ...item, proof: item.proof?.value }
          : item,
    ),
  })),
});

describe('messages: laws of the codec', () => {
  const unfold = (answer: GenerateResponse): readonly GenerateEvent[] => {
    const list: GenerateEvent[] = [];
    unfoldResponse(answer, (event) => list.push(event));
    return list;
  };

  it('any response stays the same when it is written and read, plain and streamed', () => {
    fc.assert(
      fc.property(response, (answer) => {
        const plain = upstreamSide.decodeResponse(
          JSON.parse(JSON.stringify(clientSide.encodeResponse(answer, writeContext()))),
          readContext(),
        );
        const streamed = foldEvents(readStream(framesOf(writeSse(unfold(answer)))));
        expect(comparable(plain)).to.deep.equal(comparable(answer));
        expect(comparable(streamed)).to.deep.equal(comparable(answer));
      }),
    );
  });

  it('a stream that is cut anywhere ends in exactly one error', () => {
    fc.assert(
      fc.property(response, fc.nat(), (answer, place) => {
        const all = framesOf(writeSse(unfold(answer)));
        const list = readStream(all.slice(0, place % all.length));
        expect(
          list.filter(({ type }) => type === 'error' || type === 'response-end').map(({ type }) => type),
        ).to.deep.equal(['error']);
      }),
    );
  });
});
