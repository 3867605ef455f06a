import { expect } from 'chai';
import * as fc from 'fast-check';
import { GatewayError, type GenerateResponse, type Part } from '../../../core/api/index.ts';
import { composeResponse, foldEvents, unfoldResponse, type GenerateEvent } from '../../../core/api/codec.ts';
import { checkEventGrammar, interleavedEvents } from '../../../core/testing/index.ts';

const unfold = (response: GenerateResponse): GenerateEvent[] => {
  const events: GenerateEvent[] = [];
  unfoldResponse(response, (event) => void events.push(event));
  return events;
};

const text = fc.string({ unit: 'grapheme' });
const proof = fc.record({
  origin: fc.option(fc.record({ provider: text, family: text }), { nil: undefined }),
  value: text,
});
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({
    type: fc.constant('text' as const),
    text,
    citations: fc.array(fc.record({ url: text, vendor: fc.record({ wire: text, value: fc.jsonValue() }) })),
    proof,
  }),
  fc.record({ type: fc.constant('refusal' as const), text }),
  fc.record({ type: fc.constant('reasoning' as const), text }),
  fc.record({ type: fc.constant('reasoning' as const), text, redacted: fc.constant(true), proof }),
  fc.record({
    type: fc.constant('tool-call' as const),
    id: text,
    name: text,
    kind: fc.constantFrom('function' as const, 'custom' as const),
    input: text,
  }),
  fc.record({
    type: fc.constant('tool-call' as const),
    id: text,
    name: text,
    kind: fc.constant('function' as const),
    input: text,
    proof,
  }),
  fc.record({ type: fc.constant('media' as const), media: fc.record({ mediaType: text, base64: fc.base64String() }) }),
  fc.record({ type: fc.constant('opaque' as const), wire: text, value: fc.jsonValue() }),
);
const count = fc.nat();
const usage = fc.record({
  inputUncached: count,
  cacheRead: count,
  cacheWrite5m: count,
  cacheWrite1h: count,
  output: count,
  reasoning: count,
  source: fc.constant('provider' as const),
});
const finish = fc.oneof(
  fc.record({
    reason: fc.constantFrom('stop' as const, 'length' as const, 'tool_calls' as const, 'refusal' as const),
    vendor: text,
  }),
  fc.record({ reason: fc.constant('stop_sequence' as const), sequence: text }),
);
const response: fc.Arbitrary<GenerateResponse> = fc
  .tuple(
    fc.record({ id: text, model: text, usage }, { requiredKeys: [] }),
    fc.array(fc.record({ parts: fc.array(part, { maxLength: 5 }), finish }), { maxLength: 3 }),
  )
  .map(([head, choices]) => ({ ...head, choices }));

describe('foldEvents', () => {
  it('foldResponse is the inverse of unfoldResponse', () => {
    fc.assert(fc.property(response, (answer) => void expect(foldEvents(unfold(answer))).to.deep.equal(answer)));
  });
  it('unfoldResponse returns events of valid grammar for every response', () => {
    const named: fc.Arbitrary<GenerateResponse> = response.map((answer) => ({
      ...answer,
      choices: answer.choices.map((choice) => ({
        ...choice,
        parts: choice.parts.map((item) => (item.type === 'tool-call' ? { ...item, id: 'i', name: 'n' } : item)),
      })),
    }));
    fc.assert(fc.property(named, (answer) => void expect(checkEventGrammar(unfold(answer))).to.deep.equal([])));
  });
  it('assigns interleaved fragments to their parts, in the order of the starts', () => {
    const [choice] = foldEvents(interleavedEvents).choices;
    expect(choice?.parts.map((item) => (item.type === 'tool-call' ? item.input : item.type))).to.deep.equal([
      'text',
      '{"city":"Paris"}',
      '{"city":"Rome"}',
    ]);
  });
  it('uses the last usage event, and sorts choices by index', () => {
    const counts = {
      inputUncached: 1,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 1,
      reasoning: 0,
      source: 'provider' as const,
    };
    const folded = foldEvents([
      { type: 'response-start' },
      { type: 'usage', usage: counts },
      { type: 'choice-end', choice: 1, finish: { reason: 'length' } },
      { type: 'choice-end', choice: 0, finish: { reason: 'stop' } },
      { type: 'usage', usage: { ...counts, output: 5 } },
      { type: 'response-end' },
    ]);
    expect(folded.usage?.output).to.equal(5);
    expect(folded.choices.map((choice) => choice.finish.reason)).to.deep.equal(['stop', 'length']);
  });
  it('foldResponse throws the error of an error event', () => {
    const error = new GatewayError('upstream_truncated');
    expect(() => foldEvents([{ type: 'response-start' }, { type: 'error', error }])).to.throw(error);
  });
});

describe('a plain response that is written as a stream', () => {
  it('has what was written, in the order of its parts', () => {
    const response = composeResponse((events) => {
      const answer = events.choice(0);
      events.start({ id: 'r1', model: 'slip-1' });
      answer.text('Hello.');
      answer.call({ id: 'c1', name: 'wave', kind: 'function' });
      answer.finish({ reason: 'tool_calls' });
      events.end();
    });
    const parts: readonly Part[] = [
      { type: 'text', text: 'Hello.' },
      { type: 'tool-call', id: 'c1', name: 'wave', kind: 'function', input: '{}' },
    ];
    expect(response).to.deep.equal({
      id: 'r1',
      model: 'slip-1',
      choices: [{ parts, finish: { reason: 'tool_calls' } }],
    });
  });

  it('throws the error that it is written with', () => {
    const error = new GatewayError('upstream_bad_response');
    expect(() => composeResponse((events) => events.fail(error)))
      .to.throw(GatewayError)
      .and.equal(error);
  });

  it('is refused if it is not finished', () => {
    expect(() => composeResponse((events) => events.end())).to.throw(GatewayError, 'ended');
  });
});
