import { expect } from 'chai';
import * as fc from 'fast-check';
import { GatewayError, inputTotal, type GenerateResponse, type Usage } from '../../core/api/index.ts';
import { ndjson, sse, type Codec, type GenerateEvent } from '../../core/api/codec.ts';
import {
  checkEventGrammar,
  checkUsage,
  comparableEvents,
  createReadContext,
  createWriteContext,
  decodeEvents,
  decodeFrames,
  describeRecording,
  rechunk,
  sampleRequests,
} from '../../core/testing/index.ts';
import { messagesCodec } from '../../providers/anthropic/messages/index.ts';
import { chatCodec as cohereCodec } from '../../providers/cohere/chat/index.ts';
import { generateContentCodec } from '../../providers/google/generate-content/index.ts';
import { interactionsCodec } from '../../providers/google/interactions/index.ts';
import { chatCodec as ollamaCodec } from '../../providers/ollama/chat/index.ts';
import { chatCompletionsCodec } from '../../providers/openai/chat-completions/index.ts';
import { responsesCodec } from '../../providers/openai/responses/index.ts';
import type { Answer } from './answers/answer.ts';
import { differenceOf } from './answers/expected-answer.ts';
import { filesOfWire, hasCorpus, readLines, type CorpusLine, type Json } from './lines.ts';
import { cohere, ollama } from './upstream-only/vendors.ts';
import { wireAdapters, type GenerationWire } from './wires.ts';

const files: readonly (readonly [codec: Codec<'generate'>, names: readonly string[]])[] = [
  [chatCompletionsCodec, filesOfWire.chat],
  [messagesCodec, filesOfWire.messages],
  [responsesCodec, filesOfWire.responses],
  [generateContentCodec, filesOfWire.google],
  [interactionsCodec, filesOfWire.interactions],
];
const codecs = files.map(([codec]) => codec);

/** Vendors whose reasoning or end is read with settings of their provider, which the codec alone does not have. */
const needSettings: ReadonlySet<string> = new Set(['huggingface', 'snowflake']);

/** What the codec reads in a line is what is read there without it. */
const checkContent = (
  codec: Codec<'generate'>,
  line: CorpusLine,
  reader: (line: CorpusLine) => Answer = wireAdapters[codec.wire as GenerationWire].read,
  framing = sse,
): void => {
  if (needSettings.has(line.provider)) return;
  const { body, ndjson: text = line.response.sse } = line.response;
  const said = describeRecording(
    codec,
    { response: { status: 200, ...(text === undefined ? { body } : { text }) } },
    framing,
  );
  const recorded = reader(line);
  const failed = [said?.error !== undefined, recorded.reason === 'error'];
  expect(failed[0], line.id).to.equal(failed[1]);
  if (said !== undefined && failed[0] === false) expect(differenceOf(said, recorded), line.id).to.equal(undefined);
};

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
  'interactions': ({
    total_input_tokens: input = 0,
    total_output_tokens: output = 0,
    total_thought_tokens: thoughts = 0,
    total_tokens: total,
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
      it(`every recorded response of ${name} says what is read there without the gateway, however its bytes are split`, function () {
        if (!hasCorpus()) this.skip();
        const lines = readLines(`${name}.jsonl`).filter(isAnswer);
        expect(lines.length).to.be.greaterThan(0);
        let answers = 0;
        for (const line of lines) {
          const { response } = line;
          checkContent(codec, line);
          if (response.sse !== undefined) checkStream(codec, response.sse);
          if (response.sse !== undefined || checkPlain(codec, response.body)) answers += 1;
        }
        expect(answers).to.be.greaterThan(lines.length * 0.9);
      });
    }
  }

  for (const [codec, vendor, framing, minimum] of [
    [cohereCodec, cohere, sse, 37],
    [ollamaCodec, ollama, ndjson, 6],
  ] as const)
    it(`every recorded response of ${vendor.provider} says what is read there without the gateway`, function () {
      if (!hasCorpus()) this.skip();
      const lines = [`${vendor.provider}-chat.jsonl`, `${vendor.provider}-chat-stream.jsonl`]
        .flatMap(readLines)
        .filter((line) => isAnswer(line) && vendor.serves(line));
      expect(lines).to.have.lengthOf.at.least(minimum);
      for (const line of lines) checkContent(codec, line, vendor.read, framing);
    });
});
