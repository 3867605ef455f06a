import { expect } from 'chai';
import { createWriteContext } from '../../../../../../core/testing/index.ts';
import type { JsonObject } from '../../../../../../core/api/index.ts';
import { chatCompletionsCodec } from '../../../../../../providers/openai/chat-completions/index.ts';
import { generateContentCodec } from '../../../../../../providers/google/generate-content/index.ts';
import { collectLosses, decode, frames, readContext, upstreamSide } from '../../exchange.ts';

const message = (reason: string): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'Searching' }],
  stop_reason: reason,
  usage: { input_tokens: 1, output_tokens: 1 },
});

const readStreamed = (reason: string): readonly string[] => {
  const { losses, lose } = collectLosses();
  const decoder = upstreamSide.decodeStream!(readContext({ lose }));
  const events = frames(
    { type: 'message_start', message: { ...message(reason), content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Searching' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  );
  for (const frame of events) decoder.push(frame, () => {});
  decoder.end(() => {});
  return losses.map(({ field, kind, detail }) => `${field} ${kind}: ${detail}`);
};

describe('reasons of messages that other wires do not have', () => {
  for (const reason of ['pause_turn', 'compaction', 'new_reason'])
    it(`${reason} is reported as an ordinary end on other wires, plain and streamed`, () => {
      const { losses, lose } = collectLosses();
      const response = upstreamSide.decodeResponse(message(reason), readContext({ lose }));
      const request = decode();
      const chat = chatCompletionsCodec.client?.encodeResponse(response, createWriteContext(request));
      const google = generateContentCodec.client?.encodeResponse(response, createWriteContext(request));
      expect(chat).to.have.nested.property('choices[0].finish_reason', 'stop');
      expect(google).to.have.nested.property('candidates[0].finishReason', 'STOP');
      const lost = [`stop_reason approximated: '${reason}' is an ordinary end on other wires`];
      expect(losses.map(({ field, kind, detail }) => `${field} ${kind}: ${detail}`)).to.deep.equal(lost);
      expect(readStreamed(reason)).to.deep.equal(lost);
    });

  it('reasons that other wires have are not reported', () => {
    for (const reason of ['end_turn', 'tool_use', 'max_tokens', 'refusal', 'stop_sequence'])
      expect(readStreamed(reason)).to.deep.equal([]);
  });
});
