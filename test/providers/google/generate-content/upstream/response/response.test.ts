import { expect } from 'chai';
import type { Part } from '../../../../../../core/api/index.ts';
import { chunk, namesOf, origin, readLosses, readResponse, refusal, stop } from '../exchange.ts';

const read = (parts: readonly unknown[], candidate = {}, members = {}) =>
  readResponse(chunk(parts, { ...stop, ...candidate }, members));
const partsOf = (...parts: readonly unknown[]): readonly Part[] | undefined => read(parts).choices[0]?.parts;

describe('generate-content upstream: responses', () => {
  it('responses have id, model, usage and one choice per candidate, in order', () => {
    const answer = readResponse({
      candidates: [
        { content: { role: 'model', parts: [{ text: 'b' }] }, index: 1, finishReason: 'MAX_TOKENS' },
        { content: { role: 'model', parts: [{ text: 'a' }] }, finishReason: 1, index: 0, avgLogprobs: -1 },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
      modelVersion: 'gemini-2.5-flash',
      responseId: 'r1',
      createTime: 'now',
    });
    expect([answer.id, answer.model, answer.usage?.output]).to.deep.equal(['r1', 'gemini-2.5-flash', 2]);
    expect(answer.choices).to.deep.equal([
      {
        parts: [{ type: 'text', text: 'a' }],
        finish: { reason: 'stop', vendor: 'STOP' },
        extra: {
          wire: 'generate-content',
          members: { avgLogprobs: -1 },
          place: 'candidates[0].',
          partial: ['groundingMetadata', 'citationMetadata'],
        },
      },
      { parts: [{ type: 'text', text: 'b' }], finish: { reason: 'length', vendor: 'MAX_TOKENS' } },
    ]);
    expect(answer.extra).to.deep.equal({ wire: 'generate-content', members: { createTime: 'now' } });
  });

  it('E1: responses have derived ids for calls without one', () => {
    const { choices } = read([
      { functionCall: { name: 'get_weather', args: { city: 'Paris' } } },
      { functionCall: { name: 'get_weather', args: { city: 'Rome' } } },
      { functionCall: { id: 'x', name: 'now' } },
    ]);
    expect(choices).to.deep.equal([
      {
        parts: [
          { type: 'tool-call', kind: 'function', id: 'call_3_0', name: 'get_weather', input: '{"city":"Paris"}' },
          { type: 'tool-call', kind: 'function', id: 'call_3_1', name: 'get_weather', input: '{"city":"Rome"}' },
          { type: 'tool-call', kind: 'function', id: 'x', name: 'now', input: '{}' },
        ],
        finish: { reason: 'tool_calls', vendor: 'STOP' },
      },
    ]);
  });

  it('responses have different ids for calls of different candidates', () => {
    const candidate = (index: number) => ({
      content: { parts: [{ functionCall: { name: 'f' } }] },
      index,
      finishReason: 'STOP',
    });
    const ids = readResponse({ candidates: [candidate(0), candidate(1)] }).choices.flatMap(({ parts }) =>
      parts.map((part) => (part.type === 'tool-call' ? part.id : '')),
    );
    expect(new Set(ids)).to.have.property('size', 2);
  });

  it('responses have signatures on their parts, stamped with their origin', () => {
    const proof = { origin, value: 'S' };
    expect(
      partsOf(
        { text: 'hm', thought: true, thoughtSignature: 'S' },
        { text: 'a' },
        { text: 'b', thoughtSignature: 'S' },
        { text: 'c' },
        { functionCall: { id: 'x', name: 'f', args: {} }, thoughtSignature: 'S' },
        { thoughtSignature: 'S' },
      ),
    ).to.deep.equal([
      { type: 'reasoning', text: 'hm', proof },
      { type: 'text', text: 'ab', proof },
      { type: 'text', text: 'c' },
      { type: 'tool-call', kind: 'function', id: 'x', name: 'f', input: '{}', proof },
      { type: 'text', text: '', proof },
    ]);
  });

  it('responses have media, and keep what only this wire has', () => {
    const code = { executableCode: { id: '1', code: 'x', language: 'PYTHON' }, thoughtSignature: 'S' };
    expect(
      partsOf(
        { inlineData: { mimeType: 'image/png', data: 'AA==' } },
        code,
        { newKind: 1 },
        { text: 'a', partMetadata: {} },
        {},
      ),
    ).to.deep.equal([
      { type: 'media', media: { mediaType: 'image/png', base64: 'AA==' } },
      { type: 'opaque', wire: 'generate-content', value: code },
      { type: 'opaque', wire: 'generate-content', value: { newKind: 1 } },
      { type: 'text', text: 'a' },
    ]);
    const draft = { inlineData: { mimeType: 'image/png', data: 'AA==' }, thought: true };
    expect(partsOf(draft)).to.deep.equal([{ type: 'opaque', wire: 'generate-content', value: draft }]);
    expect(
      namesOf(
        readLosses(chunk([{ inlineData: { mimeType: 'image/png', data: 'AA==' }, thoughtSignature: 'S' }], stop)),
      ),
    ).to.deep.equal(['dropped candidates[0].content.thoughtSignature']);
  });

  it('E34: responses have an empty choice if the prompt was blocked', () => {
    const blocked = {
      promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'No.' },
      usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 },
      modelVersion: 'm',
    };
    const answer = readResponse(blocked);
    expect(answer.choices).to.deep.equal([
      { parts: [], finish: { reason: 'content_filter', explanation: 'No.', vendor: 'SAFETY' } },
    ]);
    expect([answer.usage?.inputUncached, answer.usage?.output]).to.deep.equal([4, 0]);
    expect(answer.extra?.members).to.deep.equal({ promptFeedback: blocked.promptFeedback });
    expect(readResponse({ ...blocked, candidates: [] }).choices).to.deep.equal(answer.choices);
    expect(readResponse({ promptFeedback: { blockReason: 'OTHER' } }).choices[0]?.finish.explanation).to.contain(
      'OTHER',
    );
  });

  it('E35: a response with a malformed call is a response, with the text before the call', () => {
    for (const word of [
      'MALFORMED_FUNCTION_CALL',
      'UNEXPECTED_TOOL_CALL',
      'TOO_MANY_TOOL_CALLS',
      'MISSING_THOUGHT_SIGNATURE',
      'MALFORMED_RESPONSE',
      'NEW_WORD',
    ]) {
      const [choice] = readResponse({
        candidates: [{ content: { parts: [{ text: 'Hm.' }] }, finishReason: word, finishMessage: 'Malformed' }],
      }).choices;
      expect(choice?.finish, word).to.deep.equal({ reason: 'stop', vendor: word });
      expect(choice?.parts).to.deep.equal([{ type: 'text', text: 'Hm.' }]);
    }
  });

  it('responses without content and without a finish reason are rejected', () => {
    for (const body of [
      {},
      { candidates: [] },
      { candidates: [{}] },
      { candidates: [{ content: { role: 'model', parts: [{ text: '' }] } }] },
      { promptFeedback: {}, usageMetadata: {} },
    ]) {
      expect(refusal(() => readResponse(body)).code, JSON.stringify(body)).to.equal('upstream_bad_response');
    }
  });

  it('E50: responses can have only thoughts', () => {
    expect(read([{ text: 'hm', thought: true }], { finishReason: 'MAX_TOKENS' }).choices).to.deep.equal([
      { parts: [{ type: 'reasoning', text: 'hm' }], finish: { reason: 'length', vendor: 'MAX_TOKENS' } },
    ]);
  });

  it('responses can have no content', () => {
    for (const content of [undefined, null, {}, { role: 'model' }, { parts: [] }, { parts: [{ text: '' }] }]) {
      expect(
        readResponse({ candidates: [{ content, finishReason: 'SAFETY', finishMessage: 'No.' }] }).choices[0]?.parts,
        JSON.stringify(content),
      ).to.deep.equal([]);
    }
  });

  it('responses can be an array of any number of chunks', () => {
    const chunks = Array.from({ length: 200_000 }, () => chunk([{ text: 'a' }]));
    expect(readResponse([...chunks, chunk([], stop)]).choices[0]?.parts).to.deep.equal([
      { type: 'text', text: 'a'.repeat(200_000) },
    ]);
  });

  it('throws the error that a response holds, also in an array', () => {
    const body = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } };
    for (const answer of [body, [body], [chunk([{ text: 'a' }]), body]])
      expect(refusal(() => readResponse(answer)).code).to.equal('upstream_overloaded');
  });

  it('responses without a candidate and without a block reason are rejected', () => {
    for (const body of [
      undefined,
      null,
      '',
      'x',
      1,
      [],
      {},
      { candidates: [] },
      { candidates: null, usageMetadata: { promptTokenCount: 1 } },
      { candidates: 'x' },
    ]) {
      expect(refusal(() => readResponse(body)).code, JSON.stringify(body)).to.equal('upstream_bad_response');
    }
  });
});
