import { expect } from 'chai';
import * as fc from 'fast-check';
import { GatewayError, inputTotal, type GenerateResponse, type Usage } from '../../core/api/index.ts';
import type { Codec, GenerateEvent } from '../../core/api/codec.ts';
import {
  checkEventGrammar,
  checkUsage,
  comparableEvents,
  createReadContext,
  createWriteContext,
  decodeEvents,
  decodeFrames,
  rechunk,
  sampleRequests,
} from '../../core/testing/index.ts';
import { messagesCodec } from '../../providers/anthropic/messages/index.ts';
import { generateContentCodec } from '../../providers/google/generate-content/index.ts';
import { chatCompletionsCodec } from '../../providers/openai/chat-completions/index.ts';
import { responsesCodec } from '../../providers/openai/responses/index.ts';
import { filesOfWire, hasCorpus, readLines, type CorpusLine, type Json } from './lines.ts';

const files: readonly (readonly [codec: Codec<'generate'>, names: readonly string[]])[] = [
  [chatCompletionsCodec, filesOfWire.chat],
  [messagesCodec, filesOfWire.messages],
  [responsesCodec, filesOfWire.responses],
  [generateContentCodec, filesOfWire.google],
];
const codecs = files.map(([codec]) => codec);

/** Random cuts per stream, which are different in each run. */
const RUNS = 4;

const usageIn = (events: readonly GenerateEvent[]): readonly Usage[] =>
  events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []));

/** How the counts of each wire add up. */
const sums: Readonly<
  Record<
    string,
    (usage: Readonly<Record<string, number | undefined>>) => readonly [total: number | undefined, sum: number]
  >
> = {
  'chat-completions': ({ prompt_tokens: input = 0, completion_tokens: output = 0, total_tokens: total }) => [
    total,
    input + output,
  ],
  responses: ({ input_tokens: input = 0, output_tokens: output = 0, total_tokens: total }) => [total, input + output],
  'generate-content': ({
    promptTokenCount: input = 0,
    candidatesTokenCount: output = 0,
    thoughtsTokenCount: thoughts = 0,
    totalTokenCount: total,
  }) => [total, input + output + thoughts],
};

const writeUsage = ({ client, wire }: Codec<'generate'>, usage: Usage): Json => {
  const [sample] = sampleRequests(wire);
  const response: GenerateResponse = {
    choices: [{ parts: [{ type: 'text', text: 'x' }], finish: { reason: 'stop' } }],
    usage,
  };
  const body = client?.encodeResponse(response, createWriteContext(sample![1])) as Json;
  return (body['usage'] ?? body['usageMetadata']) as Json;
};

/** No count is negative, the cache is part of the input, reasoning is part of the output, and totals add up. */
const checkCounts = (usage: Usage): void => {
  expect(checkUsage(usage)).to.deep.equal([]);
  for (const codec of codecs) {
    const written = writeUsage(codec, usage);
    const [total, sum] = sums[codec.wire]?.(written as Record<string, number>) ?? [undefined, 0];
    if (codec.wire !== 'messages')
      expect(total, codec.wire)
        .to.equal(sum)
        .and.to.equal(inputTotal(usage) + usage.output);
    else
      expect(
        Number(written['input_tokens']) +
          Number(written['cache_read_input_tokens']) +
          Number(written['cache_creation_input_tokens']),
      ).to.equal(inputTotal(usage));
  }
};

const checkStream = (codec: Codec<'generate'>, text: string): void => {
  const bytes = Buffer.from(text);
  const events = decodeEvents(codec, decodeFrames([bytes]));
  expect(checkEventGrammar(events)).to.deep.equal([]);
  usageIn(events).forEach(checkCounts);
  const whole = comparableEvents(events);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { minLength: 1, maxLength: 50 }), (cuts) => {
      expect(comparableEvents(decodeEvents(codec, decodeFrames(rechunk(bytes, cuts))))).to.deep.equal(whole);
    }),
    { numRuns: RUNS },
  );
};

/** @returns whether the line is a response and not an error */
const checkPlain = (codec: Codec<'generate'>, body: unknown): boolean => {
  try {
    const response = codec.upstream?.decodeResponse(body, createReadContext());
    if (response?.usage !== undefined) checkCounts(response.usage);
    return true;
  } catch (thrown) {
    expect(GatewayError.is(thrown), String(thrown)).to.equal(true);
    return false;
  }
};

const isAnswer = ({ response }: CorpusLine): boolean => response.status < 400;

describe('every recorded response', () => {
  for (const [codec, names] of files) {
    for (const name of names) {
      it(`every recorded response of ${name} keeps the usage rules, and decodes the same however its bytes are split`, function () {
        if (!hasCorpus()) this.skip();
        const lines = readLines(`${name}.jsonl`).filter(isAnswer);
        expect(lines.length).to.be.greaterThan(0);
        let answers = 0;
        for (const { response } of lines) {
          if (response.sse !== undefined) checkStream(codec, response.sse);
          if (response.sse !== undefined || checkPlain(codec, response.body)) answers += 1;
        }
        expect(answers).to.be.greaterThan(lines.length * 0.9);
      });
    }
  }
});
