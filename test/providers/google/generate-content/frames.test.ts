import { expect } from 'chai';
import { checkGenerateContentFrames } from './frames.ts';

const head = { responseId: 'r', modelVersion: 'm' };
const usageMetadata = {
  promptTokenCount: 3,
  cachedContentTokenCount: 1,
  candidatesTokenCount: 2,
  thoughtsTokenCount: 1,
  totalTokenCount: 6,
};
const chunk = (parts: readonly object[], fields: object = {}, extra: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...fields }],
  ...head,
  ...extra,
});
const text = chunk([{ text: 'Hi' }]);
const call = { functionCall: { id: 'c', name: 'f', args: {} } };
const last = chunk([{ text: '' }], { finishReason: 'STOP' }, { usageMetadata });
const error = { error: { code: 503, message: 'no', status: 'UNAVAILABLE' } };
const blocked = { promptFeedback: { blockReason: 'SAFETY' }, ...head, usageMetadata };
const frame = (data: unknown) => ({ event: undefined, data: typeof data === 'string' ? data : JSON.stringify(data) });
const check = (...data: readonly unknown[]) =>
  checkGenerateContentFrames(data.map(frame), { includeUsage: true }).join('\n');

describe('the frame check of generate-content', () => {
  it('accepts responses of thought and text, of calls, of two candidates, of a signature', () => {
    expect(check(chunk([{ text: 'Hm', thought: true }]), text, last)).to.equal('');
    expect(
      check(chunk([{ ...call, thoughtSignature: 'eA==' }]), chunk([call], { finishReason: 'STOP' }, { usageMetadata })),
    ).to.equal('');
    expect(
      check(
        text,
        chunk([{ text: 'Ho' }], { index: 1 }),
        chunk([{ text: '' }], { finishReason: 'STOP' }),
        chunk([{ text: '' }], { index: 1, finishReason: 'MAX_TOKENS' }, { usageMetadata }),
      ),
    ).to.equal('');
    expect(check(chunk([{ text: '', thoughtSignature: 'eA==' }]), last)).to.equal('');
  });
  it('accepts a blocked prompt, and an error that cuts a stream off', () => {
    expect(check(blocked)).to.equal('');
    expect(check(text, error)).to.equal('');
    expect(check(error)).to.equal('');
  });
  const wrong: readonly (readonly [problem: string, data: readonly unknown[]])[] = [
    ['no JSON object: [DONE]', [text, last, '[DONE]']],
    ['before candidate 0 finished', [text]],
    ['without a candidate or an error', []],
    ['no usageMetadata', [text, { ...last, usageMetadata: undefined }]],
    ['a chunk without candidates', [text, chunk([{ text: '' }], { finishReason: 'STOP' }), { ...head, usageMetadata }]],
    ['data after the error', [error, last]],
    ['data after the block', [blocked, last]],
    ['a blocked prompt after content', [text, blocked]],
    ['without a numeric code', [{ error: { ...error.error, code: 'UNAVAILABLE' } }]],
    ['without a numeric code', [{ error: { ...error.error, code: 200 } }]],
    ['responseId and modelVersion are needed', [text, { ...last, responseId: undefined }]],
    ['must be the same', [text, { ...last, modelVersion: 'n' }]],
    ['no content of role model', [{ candidates: [{ index: 0, content: { parts: [{ text: 'x' }] } }], ...head }, last]],
    ['has no parts', [chunk([]), last]],
    ['a candidate without an index', [chunk([{ text: 'x' }], { index: undefined }), last]],
    ['goes on after it finished', [text, last, last]],
    ['an unknown finishReason', [text, chunk([{ text: '' }], { finishReason: 'TOOL_CALLS' }, { usageMetadata })]],
    ['an unknown finishReason: 1', [text, chunk([{ text: '' }], { finishReason: 1 }, { usageMetadata })]],
    ['an empty text part before the last chunk', [chunk([{ text: '' }]), last]],
    ['a part with text and functionCall', [chunk([{ text: 'x', ...call }]), last]],
    ['a part with nothing', [chunk([{}]), last]],
    ['or an object of args', [chunk([{ functionCall: { name: 'f', args: '{}' } }]), last]],
    ['or an object of args', [chunk([{ functionCall: { args: {} } }]), last]],
    ['a functionCall in pieces', [chunk([{ functionCall: { name: 'f', args: {}, willContinue: true } }]), last]],
    ['an empty id', [chunk([{ functionCall: { id: '', name: 'f', args: {} } }]), last]],
    ['a thoughtSignature without text', [chunk([{ ...call, thoughtSignature: '' }]), last]],
    ['not the sum', [text, { ...last, usageMetadata: { ...usageMetadata, totalTokenCount: 5 } }]],
    ['without counts', [text, { ...last, usageMetadata: { ...usageMetadata, thoughtsTokenCount: -1 } }]],
  ];
  for (const [problem, data] of wrong) {
    it(`rejects frames: ${problem} (${data.length} chunks)`, () => {
      expect(check(...data)).to.include(problem);
    });
  }
  it('rejects frames with event names', () => {
    expect(checkGenerateContentFrames([{ event: 'message', data: JSON.stringify(last) }]).join()).to.include(
      'an event name',
    );
  });
});
