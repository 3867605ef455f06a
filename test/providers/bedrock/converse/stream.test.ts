import { expect } from 'chai';
import { GatewayError } from '../../../../core/api/index.ts';
import type { Frame, GenerateEvent } from '../../../../core/api/codec.ts';
import { decodeEvents } from '../../../../core/testing/index.ts';
import { converseCodec } from '../../../../providers/bedrock/converse/index.ts';

const frame = (event: string, data: object): Frame => ({ event, data: JSON.stringify(data) });
const read = (...frames: readonly Frame[]): readonly GenerateEvent[] => decodeEvents(converseCodec, frames);
const codeOf = (event: GenerateEvent | undefined): unknown =>
  event?.type === 'error' && GatewayError.is(event.error) ? event.error.code : event?.type;
const start = frame('contentBlockStart', {
  contentBlockIndex: 0,
  start: { toolUse: { toolUseId: 'tooluse_1', name: 'look' } },
});
const blockStop = frame('contentBlockStop', { contentBlockIndex: 0 });
const stop = (stopReason: string): Frame => frame('messageStop', { stopReason });

describe('bedrock: streams of Converse', () => {
  it('a call without arguments has those of an empty object', () => {
    const deltas = read(start, blockStop, stop('tool_use')).filter(({ type }) => type === 'part-delta');
    expect(deltas).to.deep.equal([{ type: 'part-delta', choice: 0, part: 0, text: '{}' }]);
  });

  it('a stream without usage is complete once it has stopped, and truncated before', () => {
    const text = frame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } });
    expect(codeOf(read(text, blockStop, stop('end_turn')).at(-1))).to.equal('response-end');
    expect(codeOf(read(text, blockStop).at(-1))).to.equal('upstream_truncated');
  });

  it('cached input that the input includes is counted once, as the total shows', () => {
    const usageOf = (usage: object): unknown => {
      const found = read(stop('end_turn'), frame('metadata', { usage })).find(({ type }) => type === 'usage');
      if (found?.type !== 'usage') return undefined;
      const { inputUncached, cacheRead, cacheWrite5m, output } = found.usage;
      return [inputUncached, cacheRead, cacheWrite5m, output];
    };
    const caches = { cacheReadInputTokens: 4_793, cacheWriteInputTokens: 200, outputTokens: 7 };
    expect(usageOf({ ...caches, inputTokens: 4_995, totalTokens: 5_002 })).to.deep.equal([2, 4_793, 200, 7]);
    expect(usageOf({ ...caches, inputTokens: 2, totalTokens: 5_002 })).to.deep.equal([2, 4_793, 200, 7]);
    expect(usageOf({ ...caches, inputTokens: 4_995, totalTokens: 9_995 })).to.deep.equal([4_995, 4_793, 200, 7]);
    expect(usageOf({ ...caches, inputTokens: 4_995 })).to.deep.equal([4_995, 4_793, 200, 7]);
  });

  it('what the model wrote and the vendor could not read is a failure', () => {
    expect(codeOf(read(start, blockStop, stop('malformed_tool_use')).at(-1))).to.equal('upstream_bad_response');
  });

  for (const [type, code] of [
    ['throttlingException', 'upstream_rate_limit'],
    ['serviceUnavailableException', 'upstream_overloaded'],
    ['internalServerException', 'upstream_error'],
    ['modelStreamErrorException', 'upstream_error'],
    ['validationException', 'invalid_request'],
  ] as const)
    it(`the exception ${type} of a stream is the error ${code}`, () => {
      expect(codeOf(read(frame('exception', { type, message: 'No.' })).at(-1))).to.equal(code);
    });
});
