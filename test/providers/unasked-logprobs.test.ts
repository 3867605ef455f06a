import { expect } from 'chai';
import {
  createTestRequest,
  createWriteContext,
  encodeEvents,
  listEvents,
  sampleResponses,
} from '../../core/testing/index.ts';
import { generateContentCodec } from '../../providers/google/generate-content/index.ts';
import { chatCompletionsCodec } from '../../providers/openai/chat-completions/index.ts';
import { completionsCodec } from '../../providers/openai/completions/index.ts';
import { responsesCodec } from '../../providers/openai/responses/index.ts';

const MARK = /"token|"tokens"|avgLogprobs/;

describe('log probabilities that a vendor sends unasked', () => {
  for (const codec of [chatCompletionsCodec, completionsCodec, responsesCodec, generateContentCodec]) {
    it(`reach only clients of ${codec.wire} that asked for them, plain and streamed`, () => {
      const response = sampleResponses.find(([name]) => name === 'log probabilities')?.[1];
      if (response === undefined) throw new Error('there is no sample');
      for (const asked of [true, false]) {
        const request = createTestRequest({ wire: codec.wire, includeUsage: true, ...(asked ? { logprobs: 1 } : {}) });
        const plain = codec.client?.encodeResponse(response, createWriteContext(request));
        const streamed = encodeEvents(codec, listEvents(response), createWriteContext({ ...request, stream: true }));
        for (const written of [plain, streamed.map(({ data }) => data).join('\n')])
          expect(MARK.test(typeof written === 'string' ? written : JSON.stringify(written))).to.equal(asked);
      }
    });
  }
});
