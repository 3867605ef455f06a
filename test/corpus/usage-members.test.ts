import { expect } from 'chai';
import { GatewayError, type Operation, type Usage } from '../../core/api/index.ts';
import type { AnyCodec, Codec } from '../../core/api/codec.ts';
import { createUsageWatch, UnknownUsage } from '../../core/exchange/usage-watch.ts';
import {
  createReadContext,
  createTestLog,
  createTestTarget,
  decodeEvents,
  decodeFrames,
} from '../../core/testing/index.ts';
import { messagesCodec } from '../../providers/anthropic/messages/index.ts';
import { chatCodec as cohereChat } from '../../providers/cohere/chat/index.ts';
import { embedCodec as cohereEmbed } from '../../providers/cohere/embed/index.ts';
import { embedContentCodec } from '../../providers/google/embed-content/index.ts';
import { generateContentCodec } from '../../providers/google/generate-content/index.ts';
import { interactionsCodec } from '../../providers/google/interactions/index.ts';
import { chatCompletionsCodec } from '../../providers/openai/chat-completions/index.ts';
import { embeddingsCodec } from '../../providers/openai/embeddings/index.ts';
import { responsesCodec } from '../../providers/openai/responses/index.ts';
import { createMetrics } from '../../core/services/metrics/metrics.ts';
import { sampleRecord } from '../core/exchange/sample-exchange.ts';
import { filesOfWire, hasCorpus, readLines, type CorpusLine } from './lines.ts';

/** The recordings of each wire that declares its members, and what they report that the wire does not have. */
const recordings: readonly (readonly [codec: AnyCodec, files: readonly string[], unknown: readonly string[]])[] = [
  // A gateway in front of the vendor added its own figure.
  [messagesCodec, filesOfWire.messages, ['pydantic_ai_gateway']],
  [generateContentCodec, filesOfWire.google, []],
  [interactionsCodec, filesOfWire.interactions, []],
  [embedContentCodec, ['embeddings'], []],
  [chatCompletionsCodec, filesOfWire.chat, ['pydantic_ai_gateway']],
  [responsesCodec, filesOfWire.responses, ['pydantic_ai_gateway']],
  [embeddingsCodec, ['embeddings'], []],
  [cohereChat, ['cohere-chat', 'cohere-chat-stream'], []],
  [cohereEmbed, ['embeddings'], []],
];

/** Lines of other wires, and failures, have no usage. */
const decodePlain = <O extends Operation>({ upstream }: Codec<O>, body: unknown): readonly Usage[] => {
  try {
    const response = upstream?.decodeResponse(body, createReadContext());
    return response !== undefined && 'usage' in response && response.usage !== undefined ? [response.usage] : [];
  } catch (thrown) {
    if (GatewayError.is(thrown)) return [];
    throw thrown;
  }
};

const usagesOf = (codec: AnyCodec, { response: { sse, body } }: CorpusLine): readonly Usage[] => {
  if (codec.operation !== 'generate') return decodePlain<Exclude<Operation, 'generate'>>(codec, body);
  if (sse === undefined) return decodePlain(codec, body);
  return decodeEvents(codec, decodeFrames([Buffer.from(sse)])).flatMap((event) =>
    event.type === 'usage' ? [event.usage] : [],
  );
};

describe('the members of recorded usage', () => {
  for (const [codec, files, unknown] of recordings)
    it(`every member of usage in the recordings of ${codec.wire} is known, except those of other gateways`, function () {
      if (!hasCorpus()) this.skip();
      const log = createTestLog();
      const watch = createUsageWatch([codec], new UnknownUsage(log, createMetrics()));
      const target = createTestTarget('vendor/model');
      const usages = files.flatMap((file) => readLines(`${file}.jsonl`).flatMap((line) => usagesOf(codec, line)));
      for (const usage of usages)
        watch(codec.operation, {
          attempts: [{ ...sampleRecord, wire: codec.wire }],
          charges: [{ attempt: 0, target, usage, cost: undefined }],
        });
      expect(usages.length).to.be.greaterThan(3);
      expect(log.lines.map(({ fields }) => ('path' in fields ? fields.path : fields))).to.deep.equal(unknown);
    });
});
