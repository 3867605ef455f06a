import { FinishReason, BlockedReason } from '@google/genai';
import { expect } from 'chai';
import {
  isMappedToStop,
  readBlockedPrompt,
  readFinish,
  readFinishReason,
  writeFinish,
} from '../../../../providers/google/generate-content/finish.ts';

const reasonOf = (value: unknown, calls = false) => readFinish(readFinishReason(value), { calls }).reason;

describe('finish reasons of generate-content', () => {
  it('reads finish reasons by name or by number', () => {
    const filtered = [
      'SAFETY',
      'RECITATION',
      'BLOCKLIST',
      'PROHIBITED_CONTENT',
      'SPII',
      'IMAGE_SAFETY',
      'IMAGE_PROHIBITED_CONTENT',
      'IMAGE_RECITATION',
      'MODEL_ARMOR',
    ];
    for (const word of filtered) expect(reasonOf(word), word).to.equal('content_filter');
    for (const word of ['STOP', 'LANGUAGE', 'OTHER', 'NO_IMAGE', 'IMAGE_OTHER', 'SOMETHING_NEW', 'constructor'])
      expect(reasonOf(word), word).to.equal('stop');
    for (const word of ['MAX_TOKENS', 'CONTINUATION']) expect(reasonOf(word), word).to.equal('length');
    expect([0, 1, 2, 3, 5, 9, 77].map(readFinishReason)).to.deep.equal([
      '',
      'STOP',
      'MAX_TOKENS',
      'SAFETY',
      'OTHER',
      'MALFORMED_FUNCTION_CALL',
      'OTHER',
    ]);
  });

  it('covers every finish reason of the SDK', () => {
    for (const word of Object.values(FinishReason))
      expect(readFinish(readFinishReason(word), { calls: false }).reason, word).to.be.oneOf([
        'stop',
        'length',
        'content_filter',
      ]);
    for (const word of Object.values(BlockedReason))
      expect(readBlockedPrompt({ blockReason: word })?.reason, word).to.equal(
        word === BlockedReason.BLOCKED_REASON_UNSPECIFIED ? undefined : 'content_filter',
      );
  });

  it('finish reasons become an ordinary end on other wires that have no such reason', () => {
    for (const word of [
      'MALFORMED_FUNCTION_CALL',
      'UNEXPECTED_TOOL_CALL',
      'TOO_MANY_TOOL_CALLS',
      'MISSING_THOUGHT_SIGNATURE',
      'LANGUAGE',
      'OTHER',
      'SOMETHING_NEW',
    ]) {
      expect([reasonOf(word), isMappedToStop(word)], word).to.deep.equal(['stop', true]);
    }
    for (const word of ['', 'STOP', 'MAX_TOKENS', 'SAFETY']) expect(isMappedToStop(word), word).to.equal(false);
  });

  it('finish reasons become tool_calls only if the model stopped on its own', () => {
    expect(reasonOf('STOP', true)).to.equal('tool_calls');
    expect(reasonOf('MAX_TOKENS', true)).to.equal('length');
    expect(reasonOf('SAFETY', true)).to.equal('content_filter');
  });

  it('finish reasons explain a filtered response, and no other', () => {
    expect(readFinish('SAFETY', { calls: false }, 'because')).to.deep.equal({
      reason: 'content_filter',
      explanation: 'because',
      vendor: 'SAFETY',
    });
    expect(readFinish('STOP', { calls: true }, 'Model generated function call(s).')).to.deep.equal({
      reason: 'tool_calls',
      vendor: 'STOP',
    });
  });

  it("finish reasons are written back as the vendor's own reason if it means the same", () => {
    expect(writeFinish({ reason: 'content_filter', vendor: 'RECITATION', explanation: 'x' })).to.deep.equal({
      finishReason: 'RECITATION',
      finishMessage: 'x',
    });
    expect(writeFinish({ reason: 'stop', vendor: 'RECITATION' })).to.deep.equal({ finishReason: 'STOP' });
    expect(writeFinish({ reason: 'refusal', vendor: 'refusal', explanation: 'no' })).to.deep.equal({
      finishReason: 'SAFETY',
      finishMessage: 'no',
    });
    const written = (
      [
        'stop',
        'stop_sequence',
        'length',
        'tool_calls',
        'content_filter',
        'refusal',
        'pause',
        'context_overflow',
      ] as const
    ).map((reason) => writeFinish({ reason })['finishReason']);
    expect(written).to.deep.equal(['STOP', 'STOP', 'MAX_TOKENS', 'STOP', 'SAFETY', 'SAFETY', 'STOP', 'MAX_TOKENS']);
  });
});
