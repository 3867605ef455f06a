import { expect } from 'chai';
import * as fc from 'fast-check';
import { foldEvents, type GenerateEvent, type Loss } from '../../../../../../core/api/codec.ts';
import {
  arrayOf,
  chunk,
  foldChunks,
  namesOf,
  origin,
  readArray,
  readBytes,
  readChunks,
  sseOf,
  stop,
} from '../exchange.ts';

const typesOf = (events: readonly GenerateEvent[]) => events.map(({ type }) => type);
const errorOf = (events: readonly GenerateEvent[]) =>
  events.flatMap((event) => (event.type === 'error' ? [event.error] : []))[0];
const call = (members: object) => ({ functionCall: members });

describe('streams of generate-content', () => {
  it('streams emit text, usage and an end at the last byte', () => {
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    expect(
      readChunks(chunk([{ text: 'Hel' }]), chunk([{ text: 'lo' }], stop, { usageMetadata })).map((event) =>
        event.type === 'usage' ? { ...event, usage: event.usage.output } : event,
      ),
    ).to.deep.equal([
      { type: 'response-start', id: 'r1', model: 'gemini-2.5-flash' },
      { type: 'part-start', choice: 0, part: 0, kind: 'text' },
      { type: 'part-delta', choice: 0, part: 0, text: 'Hel' },
      { type: 'usage', usage: 1 },
      { type: 'part-delta', choice: 0, part: 0, text: 'lo' },
      { type: 'part-end', choice: 0, part: 0 },
      { type: 'choice-end', choice: 0, finish: { reason: 'stop', vendor: 'STOP' } },
      { type: 'response-end' },
    ]);
  });

  it('E1: streams emit calls in one chunk or in several, each with its id', () => {
    const one = readChunks(chunk([call({ name: 'f', args: { a: 1 } }), call({ name: 'f', args: { a: 2 } })], stop));
    const two = readChunks(
      chunk([call({ name: 'f', args: { a: 1 } })]),
      chunk([call({ name: 'f', args: { a: 2 } })], stop),
    );
    expect(foldEvents(two)).to.deep.equal(foldEvents(one));
    expect(foldEvents(one).choices).to.deep.equal([
      {
        parts: [
          { type: 'tool-call', kind: 'function', id: 'call_3_0', name: 'f', input: '{"a":1}' },
          { type: 'tool-call', kind: 'function', id: 'call_3_1', name: 'f', input: '{"a":2}' },
        ],
        finish: { reason: 'tool_calls', vendor: 'STOP' },
      },
    ]);
  });

  it('streams put a signature of the last chunk on the text before it', () => {
    const parts = foldChunks(
      chunk([{ text: 'hm', thought: true }]),
      chunk([{ text: 'a' }]),
      chunk([{ text: '', thoughtSignature: 'S' }], stop),
    ).choices[0]?.parts;
    expect(parts).to.deep.equal([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'a', proof: { origin, value: 'S' } },
    ]);
    expect(foldChunks(chunk([{ text: '', thoughtSignature: 'S' }], stop)).choices[0]?.parts).to.deep.equal([
      { type: 'text', text: '', proof: { origin, value: 'S' } },
    ]);
  });

  it('streams alternate between thoughts and text', () => {
    const parts = foldChunks(
      chunk([{ text: 'a', thought: true }, { text: 'b' }]),
      chunk([{ text: 'c', thought: true }, { text: 'd' }], stop),
    ).choices[0]?.parts;
    expect(parts?.map((part) => [part.type, 'text' in part ? part.text : ''])).to.deep.equal([
      ['reasoning', 'a'],
      ['text', 'b'],
      ['reasoning', 'c'],
      ['text', 'd'],
    ]);
  });

  it('streams continue after a finish reason that comes with every chunk', () => {
    expect(
      foldChunks(
        chunk([{ text: 'a' }], stop),
        chunk([{ text: 'b' }], stop),
        chunk([{ text: '' }], { finishReason: 'MAX_TOKENS' }),
      ).choices,
    ).to.deep.equal([{ parts: [{ type: 'text', text: 'ab' }], finish: { reason: 'length', vendor: 'MAX_TOKENS' } }]);
    expect(foldChunks(chunk([{ text: 'a' }], stop), chunk([{ text: '' }])).choices[0]?.finish.vendor).to.equal('STOP');
  });

  it('streams read chunks with only usage, and several candidates in one', () => {
    const both = {
      candidates: [0, 1].map((index) => ({
        index,
        content: { parts: [{ text: String(index) }] },
        finishReason: 'STOP',
      })),
    };
    const { choices, usage } = foldChunks({ usageMetadata: { trafficType: 'ON_DEMAND' } }, both, {
      usageMetadata: { promptTokenCount: 2, totalTokenCount: 2 },
    });
    expect(choices.map(({ parts }) => parts)).to.deep.equal([
      [{ type: 'text', text: '0' }],
      [{ type: 'text', text: '1' }],
    ]);
    expect(usage?.inputUncached).to.equal(2);
  });

  it('streams emit usage when a chunk has counts, and not before', () => {
    const counted = { promptTokenCount: 2, candidatesTokenCount: 1, totalTokenCount: 3 };
    const usages = readChunks(
      chunk([{ text: 'a' }], {}, { usageMetadata: { trafficType: 'ON_DEMAND' } }),
      chunk([{ text: 'b' }], stop, { usageMetadata: counted }),
    ).flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
    expect(usages.map(({ inputUncached, output, tier }) => [inputUncached, output, tier])).to.deep.equal([
      [2, 1, undefined],
    ]);
  });

  it('E34: streams end in an empty choice if the prompt was blocked', () => {
    const events = readChunks({
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
      modelVersion: 'm',
    });
    expect(typesOf(events)).to.deep.equal(['response-start', 'usage', 'choice-end', 'response-end']);
    expect(foldEvents(events).choices[0]?.finish).to.include({
      reason: 'content_filter',
      vendor: 'PROHIBITED_CONTENT',
    });
  });

  it('E35: streams end if the model wrote a malformed call', () => {
    const events = readChunks(
      chunk([{ text: 'a' }]),
      chunk([], { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed function call: f(' }),
    );
    expect(errorOf(events)).to.equal(undefined);
    expect(foldEvents(events).choices[0]).to.deep.include({
      parts: [{ type: 'text', text: 'a' }],
      finish: { reason: 'stop', vendor: 'MALFORMED_FUNCTION_CALL' },
    });
    expect(typesOf(readChunks(chunk([], { finishReason: 'UNEXPECTED_TOOL_CALL' })))).to.deep.equal([
      'response-start',
      'choice-end',
      'response-end',
    ]);
  });

  it('E30: streams are truncated if a candidate has no finish reason', () => {
    expect(errorOf(readChunks(chunk([{ text: 'a' }])))?.code).to.equal('upstream_truncated');
    expect(errorOf(readChunks())?.code).to.equal('upstream_truncated');
    expect(errorOf(readChunks({ usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 } }))?.code).to.equal(
      'upstream_truncated',
    );
    const first = {
      candidates: [
        { index: 0, content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' },
        { index: 1, content: { parts: [{ text: 'b' }] } },
      ],
    };
    expect(errorOf(readChunks(first))?.code).to.equal('upstream_truncated');
  });

  it('E31: streams emit the error that they hold, by its number', () => {
    const failed = { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } };
    expect(errorOf(readChunks(failed))).to.include({ code: 'upstream_rate_limit', failure: 'rate-limit' });
    expect(
      errorOf(readChunks(chunk([{ text: 'a' }]), { error: { message: 'x', status: 'UNAVAILABLE' } }))?.code,
    ).to.equal('upstream_overloaded');
    expect(errorOf(readArray('[{"error":{"code":500,"message":"x","status":"INTERNAL"}}]'))?.code).to.equal(
      'upstream_error',
    );
    expect(typesOf(readChunks(failed, chunk([{ text: 'a' }], stop)))).to.deep.equal(['error']);
  });

  it('streams are rejected if a frame is not an object', () => {
    for (const data of ['{"a":', '1', 'null', '[]', '"x"'])
      expect(errorOf(readChunks(data))?.code, data).to.equal('upstream_bad_response');
  });

  it('E39: streams never emit half a character', () => {
    const texts = readChunks(
      chunk([{ text: 'a\ud83d' }]),
      chunk([{ text: '\ude00b' }]),
      chunk([{ text: '\ud83d' }], stop),
    ).flatMap((event) => (event.type === 'part-delta' ? [event.text] : []));
    expect(texts).to.deep.equal(['a', '😀b', '\ud83d']);
  });

  it('E39: streams emit the same events wherever the bytes are cut, in both framings', () => {
    const chunks = [
      chunk([{ text: 'hm 😀', thought: true }]),
      chunk([{ text: 'é😀 } ] , "' }]),
      chunk([call({ name: 'f', args: { 'ü]': '[{' } })], stop, {
        usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 },
      }),
    ];
    const [bytes, array] = [Buffer.from(sseOf(...chunks)), arrayOf(...chunks)];
    const whole = readChunks(...chunks);
    expect(typesOf(whole).at(-1)).to.equal('response-end');
    const size = Buffer.byteLength(array);
    fc.assert(
      fc.property(
        fc.array(fc.nat(bytes.length)),
        (cuts) => void expect(readBytes(bytes, { cuts })).to.deep.equal(whole),
      ),
    );
    fc.assert(fc.property(fc.array(fc.nat(size)), (cuts) => void expect(readArray(array, cuts)).to.deep.equal(whole)));
  });

  it('streams end in one terminal event when cut at any byte, and never throw', () => {
    const bytes = Buffer.from(
      sseOf(chunk([{ text: 'a' }]), chunk([call({ name: 'f', args: {} })]), chunk([{ text: '' }], stop)),
    );
    for (let end = 0; end <= bytes.length; end += 1) {
      const terminals = readBytes(bytes.subarray(0, end)).filter(
        ({ type }) => type === 'error' || type === 'response-end',
      );
      expect(terminals, `cut at ${end}`).to.have.length(1);
    }
  });

  it('streams report as lost what events cannot hold', () => {
    const losses: Loss[] = [];
    readBytes(Buffer.from(sseOf(chunk([{ text: 'a' }], { ...stop, safetyRatings: [], groundingMetadata: {} }))), {
      losses,
    });
    expect(namesOf(losses)).to.deep.equal([
      'dropped candidates[0].safetyRatings',
      'approximated candidates[0].groundingMetadata',
    ]);
  });
});
