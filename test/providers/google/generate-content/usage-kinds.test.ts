import { expect } from 'chai';
import type { JsonObject, Services, Usage } from '../../../../core/api/index.ts';
import { foldEvents, type GenerateEvent } from '../../../../core/api/codec.ts';
import { createReadContext } from '../../../../core/testing/index.ts';
import google from '../../../../providers/google/index.ts';
import { decodeResponse as decodeEmbeddings } from '../../../../providers/google/embed-content/upstream/response.ts';
import { decodeResponse } from '../../../../providers/google/generate-content/upstream/response/response.ts';
import { decodeStream } from '../../../../providers/google/generate-content/upstream/response/stream.ts';
import { createTap } from '../../../../providers/google/generate-content/upstream/response/tap.ts';
import { readUsage, writeUsage } from '../../../../providers/google/generate-content/usage.ts';
import { sse } from '../../../../core/framing/sse.ts';
import { chunk, sseOf, stop } from './upstream/exchange.ts';

const details = (...counts: readonly (readonly [modality: unknown, tokenCount: number])[]) =>
  counts.map(([modality, tokenCount]) => ({ modality, tokenCount }));

interface Answer {
  readonly usageMetadata: JsonObject;
  /** By the chunk of the stream that has it. */
  readonly grounding?: readonly (JsonObject | undefined)[];
  readonly billsOneSearch?: true;
}

const framesOf = (text: string) => {
  const frames: Parameters<ReturnType<typeof createTap>['inspectFrame']>[0][] = [];
  const decoder = sse.decoder({ frameBytes: 1_000_000 });
  decoder.push(Buffer.from(text), (frame) => frames.push(frame));
  decoder.end((frame) => frames.push(frame));
  return frames;
};

/** The usage as both lanes read it, plain and streamed. In the stream, grounding comes before and after the usage. */
const everyReading = ({ usageMetadata, grounding = [], billsOneSearch }: Answer): readonly (Usage | undefined)[] => {
  const queries = grounding.flatMap((metadata) => (metadata?.['webSearchQueries'] as readonly unknown[]) ?? []);
  const whole = chunk(
    [{ text: 'Hello' }],
    { ...stop, ...(grounding.length === 0 ? {} : { groundingMetadata: { webSearchQueries: queries } }) },
    { usageMetadata },
  );
  const [first, second] = grounding.map((metadata) => (metadata === undefined ? {} : { groundingMetadata: metadata }));
  const frames = framesOf(
    sseOf(
      chunk([{ text: 'Hel' }], first, { usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 } }),
      chunk([{ text: 'lo' }], stop, { usageMetadata }),
      chunk([], second ?? {}, {}),
    ),
  );
  const context = { ...createReadContext(), ...(billsOneSearch === undefined ? {} : { billsOneSearch }) };
  const events: GenerateEvent[] = [];
  const decoder = decodeStream(context);
  for (const frame of frames) decoder.push(frame, (event) => events.push(event));
  decoder.end((event) => events.push(event));
  const [plainTap, streamTap] = [createTap(billsOneSearch), createTap(billsOneSearch)];
  plainTap.inspectBody(whole);
  for (const frame of frames) streamTap.inspectFrame(frame);
  return [
    decodeResponse(whole, context).usage,
    foldEvents(events).usage,
    plainTap.observed.usage,
    streamTap.observed.usage,
  ];
};

const expectReading = (answer: Answer, expected: Partial<Usage>): void => {
  const empty = { inputUncached: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
  for (const usage of everyReading(answer)) {
    expect({ ...usage, raw: undefined }).to.deep.equal({
      ...empty,
      source: 'provider',
      raw: undefined,
      ...expected,
    });
    expect(usage?.raw).to.deep.equal(answer.usageMetadata);
  }
};

describe('generate-content: what a usage object reports', () => {
  it('separates each modality from the text, and cached tokens from others', () => {
    expectReading(
      {
        usageMetadata: {
          promptTokenCount: 20_000,
          promptTokensDetails: details(
            ['TEXT', 1_000],
            ['AUDIO', 3_000],
            ['VIDEO', 15_000],
            ['IMAGE', 600],
            ['DOCUMENT', 400],
          ),
          cachedContentTokenCount: 12_000,
          cacheTokensDetails: details(['AUDIO', 1_800], ['VIDEO', 10_000], ['DOCUMENT', 100], ['TEXT', 100]),
          toolUsePromptTokenCount: 50,
          toolUsePromptTokensDetails: details(['TEXT', 20], ['AUDIO', 30]),
          candidatesTokenCount: 1_500,
          candidatesTokensDetails: details(['TEXT', 10], ['AUDIO', 200], ['IMAGE', 1_290]),
          thoughtsTokenCount: 77,
          totalTokenCount: 21_627,
          trafficType: 'ON_DEMAND_PRIORITY',
        },
      },
      {
        inputUncached: 8_050,
        cacheRead: 12_000,
        output: 1_577,
        reasoning: 77,
        inputAudio: 1_230,
        inputImage: 900,
        inputVideo: 5_000,
        cacheReadAudio: 1_800,
        outputAudio: 200,
        outputImage: 1_290,
        tier: 'priority',
      },
    );
  });

  it('reads modalities that are numbers, and embeddings, whose details have another name', () => {
    const usageMetadata = {
      promptTokenCount: 100,
      promptTokensDetails: details([1, 1], [2, 20], [3, 30], [4, 40], [5, 5], [0, 4], ['constructor', 9]),
      totalTokenCount: 100,
    };
    expectReading({ usageMetadata }, { inputUncached: 100, inputAudio: 40, inputImage: 25, inputVideo: 30 });
    const { usage } = decodeEmbeddings({
      embedding: { values: [1] },
      usageMetadata: { promptTokenCount: 261, promptTokenDetails: details(['IMAGE', 258], ['TEXT', 3]) },
    });
    expect(usage).to.include({ inputUncached: 261, inputImage: 258 });
  });

  it('never counts more media than tokens', () => {
    expectReading(
      {
        usageMetadata: {
          promptTokenCount: 10,
          promptTokensDetails: details(['AUDIO', 8], ['IMAGE', 8], ['VIDEO', 8]),
          cachedContentTokenCount: 1,
          cacheTokensDetails: details(['AUDIO', 5]),
          candidatesTokenCount: 3,
          candidatesTokensDetails: details(['IMAGE', 9]),
          totalTokenCount: 13,
        },
      },
      {
        inputUncached: 9,
        cacheRead: 1,
        output: 3,
        inputAudio: 3,
        inputImage: 6,
        cacheReadAudio: 1,
        outputImage: 3,
      },
    );
  });

  const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 };
  const counts = { inputUncached: 9, output: 3 };

  it('counts each search once, and no empty query', () => {
    expectReading(
      {
        usageMetadata,
        grounding: [{ webSearchQueries: ['', 'news', ' '] }, { webSearchQueries: ['news', 'weather', 5, null] }],
      },
      { ...counts, units: { webSearches: 2 } },
    );
    expectReading(
      { usageMetadata, grounding: [undefined, { webSearchQueries: ['a'] }] },
      { ...counts, units: { webSearches: 1 } },
    );
    expectReading({ usageMetadata, grounding: [{ webSearchQueries: [''] }] }, counts);
    expectReading({ usageMetadata, grounding: [{ groundingChunks: [], webSearchQueries: [] }] }, counts);
  });

  it('counts one search where the vendor bills the prompt', () => {
    const grounding = [{ webSearchQueries: ['a', 'b'] }, { webSearchQueries: ['c'] }];
    expectReading({ usageMetadata, grounding, billsOneSearch: true }, { ...counts, units: { webSearches: 1 } });
    expectReading({ usageMetadata, billsOneSearch: true }, counts);
  });

  it('counts the searches that the vendor reports as billed', () => {
    const billed = (...calls: readonly (readonly [tool: string, count: number])[]) => ({
      ...usageMetadata,
      billedToolCalls: calls.map(([tool, successfulToolCallCount]) => ({ tool, successfulToolCallCount })),
    });
    const grounding = [{ webSearchQueries: ['a', 'b'] }];
    expectReading(
      { usageMetadata: billed(['GOOGLE_SEARCH_RETRIEVAL', 4], ['google_search', 1], ['GOOGLE_MAPS', 9]), grounding },
      { ...counts, units: { webSearches: 5 } },
    );
    expectReading({ usageMetadata: billed(['GOOGLE_MAPS', 9]), grounding }, { ...counts, units: { webSearches: 2 } });
    expectReading({ usageMetadata: billed(['GOOGLE_SEARCH', 3]) }, { ...counts, units: { webSearches: 3 } });
  });

  it('keeps at most a thousand queries', () => {
    const webSearchQueries = Array.from({ length: 2_000 }, (_, index) => `q${index}`);
    expectReading({ usageMetadata, grounding: [{ webSearchQueries }] }, { ...counts, units: { webSearches: 1_000 } });
  });

  it('bills prompts before Gemini 3, and searches from then on', async () => {
    const billsOneSearch = async (model: string) => {
      const { wires } = (await google.create({ apiKey: 'k' }, {} as Services)).endpoint(model);
      return [...new Set(wires.map((wire) => `${wire.operation} ${wire.billsOneSearch ?? false}`))];
    };
    const others = ['count-tokens false', 'embed false'];
    const heard = [...others, 'transcribe false', 'translate false'];
    for (const model of ['gemini-2.5-pro', 'models/gemini-2.0-flash', 'gemini-1.5-pro-002'])
      expect(await billsOneSearch(model), model).to.deep.equal(['generate true', ...heard]);
    for (const model of ['gemini-3-flash-preview', 'gemini-3.8-flash', 'gemini-10-pro', 'gemini-flash-latest'])
      expect(await billsOneSearch(model), model).to.deep.equal(['generate false', ...heard]);
    expect(await billsOneSearch('gemma-3')).to.deep.equal(['generate false', ...others]);
  });
});

describe('generate-content: the usage that a client gets', () => {
  it('has video, cached audio and the other modalities, which are read again as the same', () => {
    const usage: Usage = {
      inputUncached: 90,
      cacheRead: 30,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 50,
      reasoning: 5,
      inputAudio: 10,
      inputImage: 20,
      inputVideo: 40,
      cacheReadAudio: 30,
      outputAudio: 5,
      outputImage: 40,
      source: 'provider',
    };
    const written = writeUsage(usage);
    expect(written).to.deep.include({
      promptTokensDetails: details(['TEXT', 20], ['AUDIO', 40], ['IMAGE', 20], ['VIDEO', 40]),
      cacheTokensDetails: details(['AUDIO', 30]),
      candidatesTokensDetails: details(['AUDIO', 5], ['IMAGE', 40]),
    });
    expect({ ...readUsage(written), raw: undefined }).to.deep.equal({ ...usage, raw: undefined });
  });
});
