import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { checkGenerateContentFrames } from '../../frames.ts';
import { GatewayError, type JsonObject } from '../../../../../../core/api/index.ts';
import { sealProof, type GenerateEvent } from '../../../../../../core/api/codec.ts';
import {
  callStart,
  collectLosses,
  decode,
  delta,
  end,
  finished,
  golden,
  partsOf,
  start,
  text,
  usage,
  writeArray,
  writeChunks,
  writeFrames,
  writeSse,
} from '../harness.ts';

const failure: GenerateEvent = { type: 'error', error: new GatewayError('upstream_truncated') };
const call = (part: number, id: string, ...fragments: readonly string[]): readonly GenerateEvent[] => [
  callStart(part, id, 'f'),
  ...fragments.map((fragment) => delta(part, fragment)),
  end(part),
];
const candidateOf = (chunk: JsonObject | undefined): JsonObject => {
  const [candidate] = (chunk?.['candidates'] ?? []) as readonly JsonObject[];
  if (candidate === undefined) throw new Error('no candidate');
  return candidate;
};
const goldenChunks = readFileSync(
  new URL('../../../../../fixtures/golden/generate-content.sse', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n\n')
  .map((block) => JSON.parse(block.slice('data: '.length)) as JsonObject);

describe('generate-content client: streams', () => {
  it('writes the golden conversation with the parts of the golden file', () => {
    const said = (chunks: readonly JsonObject[]) => {
      const parts = partsOf(chunks).map(({ thoughtSignature: _signature, ...part }) => part);
      return {
        thoughts: parts.map((part) => (part['thought'] === true ? part['text'] : '')).join(''),
        text: parts.map((part) => (part['thought'] === true ? '' : (part['text'] ?? ''))).join(''),
        calls: parts.flatMap(({ functionCall }) => functionCall ?? []),
        end: { ...chunks.at(-1), candidates: candidateOf(chunks.at(-1))['finishReason'] },
      };
    };
    expect(said(writeChunks(golden))).to.deep.equal(said(goldenChunks));
    expect(
      checkGenerateContentFrames(
        writeFrames(golden).map((data) => ({ event: undefined, data })),
        { includeUsage: true },
      ),
    ).to.deep.equal([]);
  });

  it('E27 writes finish reason and usage on an empty part after text', () => {
    expect(
      writeChunks([
        start,
        ...text(0, 'Sun', '', 'ny.'),
        { type: 'choice-end', choice: 0, finish: { reason: 'length' } },
        { type: 'usage', usage },
        { type: 'response-end' },
      ]),
    ).to.deep.equal([
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Sun' }] }, index: 0 }],
        modelVersion: 'p/m',
        responseId: 'r1',
      },
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'ny.' }] }, index: 0 }],
        modelVersion: 'p/m',
        responseId: 'r1',
      },
      {
        candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, index: 0, finishReason: 'MAX_TOKENS' }],
        usageMetadata: {
          promptTokenCount: 4512,
          cachedContentTokenCount: 4000,
          candidatesTokenCount: 30,
          thoughtsTokenCount: 60,
          totalTokenCount: 4602,
        },
        modelVersion: 'p/m',
        responseId: 'r1',
      },
    ]);
  });

  it('E27 writes finish reason and usage on the last call, unless text follows it', () => {
    const chunks = writeChunks([
      start,
      ...call(0, 'a', '{"x":', '1}'),
      ...call(1, 'b'),
      { type: 'usage', usage },
      ...finished('tool_calls'),
    ]);
    expect(partsOf(chunks)).to.deep.equal([
      { functionCall: { id: 'a', name: 'f', args: { x: 1 } } },
      { functionCall: { id: 'b', name: 'f', args: {} } },
    ]);
    expect(candidateOf(chunks[0])).to.not.have.property('finishReason');
    expect(candidateOf(chunks[1])).to.deep.include({ finishReason: 'STOP' });
    expect(chunks[1]).to.have.property('usageMetadata');
    const followed = partsOf(writeChunks([start, ...call(0, 'a'), ...text(1, 'Well.'), ...finished('tool_calls')]));
    expect(followed.map((part) => Object.keys(part)[0])).to.deep.equal(['functionCall', 'text', 'text']);
  });

  it('E28 writes no event names and no terminal event in either framing', () => {
    const events = [start, ...text(0, 'a'), ...finished()];
    expect(writeSse(events)).to.match(/^(?:data: \{[^\n]*\}\n\n){2}$/);
    expect(JSON.parse(writeArray(events))).to.deep.equal(writeChunks(events));
    expect(JSON.parse(writeArray([start, ...text(0, 'a'), failure]))).to.have.length(2);
  });

  it('E30 E32 writes an error with a numeric code when cut off, and no call and nothing after it', () => {
    const error = {
      error: { code: 502, message: 'The response of the provider ended before it was complete.', status: 'INTERNAL' },
    };
    expect(writeChunks([failure])).to.deep.equal([error]);
    expect(writeChunks([start, ...text(0, 'a'), failure]).slice(1)).to.deep.equal([error]);
    expect(writeChunks([start, callStart(0, 'a', 'f'), delta(0, '{"x":'), failure])).to.deep.equal([error]);
    expect(writeChunks([start, ...call(0, 'a', '{}'), failure])).to.deep.equal([error]);
    const limited: GenerateEvent = {
      type: 'error',
      error: new GatewayError('rate_limit_exceeded', undefined, { retryAfterMs: 400 }),
    };
    expect(writeChunks([limited])[0]?.['error']).to.deep.include({ code: 429, status: 'RESOURCE_EXHAUSTED' });
  });

  it('E33 writes one chunk with an empty part for a response without content', () => {
    const [only, ...others] = writeChunks([
      start,
      { type: 'choice-end', choice: 0, finish: { reason: 'refusal', explanation: 'X' } },
      { type: 'response-end' },
    ]);
    expect(candidateOf(only)).to.deep.equal({
      content: { role: 'model', parts: [{ text: '' }] },
      index: 0,
      finishReason: 'SAFETY',
      finishMessage: 'X',
    });
    expect(others).to.deep.equal([]);
    expect(writeChunks([start, { type: 'response-end' }])).to.have.length(1);
  });

  it('E50 writes a stream of thoughts only', () => {
    const chunks = writeChunks([
      start,
      { type: 'part-start', choice: 0, part: 0, kind: 'reasoning' },
      delta(0, 'Hm'),
      end(0),
      ...finished('length'),
    ]);
    expect(partsOf(chunks)).to.deep.equal([{ text: 'Hm', thought: true }, { text: '' }]);
    expect(candidateOf(chunks.at(-1))['finishReason']).to.equal('MAX_TOKENS');
  });

  it('writes signatures after the text they sign, and on their call', () => {
    const proof = { origin: { provider: 'p', family: 'f' }, value: 'SIG' };
    const thoughtSignature = sealProof(proof);
    const events: readonly GenerateEvent[] = [
      start,
      { type: 'part-start', choice: 0, part: 0, kind: 'reasoning' },
      delta(0, 'Hm.'),
      { type: 'part-end', choice: 0, part: 0, proof },
      { type: 'part-start', choice: 0, part: 1, kind: 'text' },
      delta(1, 'a'),
      { type: 'part-end', choice: 0, part: 1, proof },
      callStart(2, 'c', 'f'),
      { type: 'part-end', choice: 0, part: 2, proof },
      ...finished('tool_calls'),
    ];
    const parts = [
      { text: 'Hm.', thought: true },
      { text: '', thought: true, thoughtSignature },
      { text: 'a' },
      { text: '', thoughtSignature },
      { functionCall: { id: 'c', name: 'f', args: {} }, thoughtSignature },
    ];
    expect(partsOf(writeChunks(events))).to.deep.equal(parts);
    expect(partsOf(writeChunks(events, { request: decode() }))).to.deep.equal(parts.slice(1));
  });

  it('writes parts in the order of their starts, however they interleave', () => {
    const events = [
      start,
      callStart(0, 'a', 'f'),
      callStart(1, 'b', 'g'),
      delta(0, '{"x":'),
      delta(1, '{"y":2}'),
      end(1),
      ...text(2, 'Well.'),
      delta(0, '1}'),
      end(0),
      ...finished('tool_calls'),
    ];
    expect(partsOf(writeChunks(events))).to.deep.equal([
      { functionCall: { id: 'a', name: 'f', args: { x: 1 } } },
      { functionCall: { id: 'b', name: 'g', args: { y: 2 } } },
      { text: 'Well.' },
      { text: '' },
    ]);
  });

  it('writes several candidates, each with its finish reason, and the usage only on the last chunk', () => {
    const said = (choice: number): readonly GenerateEvent[] =>
      text(0, `t${choice}`).map((event) => ({ ...event, choice }) as GenerateEvent);
    const events: readonly GenerateEvent[] = [
      start,
      ...said(1),
      ...said(0),
      { type: 'choice-end', choice: 1, finish: { reason: 'length' } },
      { type: 'choice-end', choice: 0, finish: { reason: 'stop' } },
      { type: 'usage', usage },
      { type: 'response-end' },
    ];
    const chunks = writeChunks(events);
    expect(
      chunks.map((chunk) => {
        const last = (chunk['candidates'] as readonly JsonObject[]).at(-1);
        return [last?.['index'], last?.['finishReason'], 'usageMetadata' in chunk];
      }),
    ).to.deep.equal([
      [1, undefined, false],
      [0, undefined, false],
      [0, 'STOP', false],
      [1, 'MAX_TOKENS', true],
    ]);
    // The AI SDK, and `text` of the official SDK, read the first candidate of a chunk whatever its index.
    const read = chunks.map((chunk) => candidateOf(chunk)).map(({ index, content }) => [index, content]);
    expect(read.map(([index]) => index)).to.deep.equal([0, 0, 0, 0]);
    expect(JSON.stringify(read)).to.include('t0').and.not.include('t1');
  });

  it('writes media, vendor parts, and the citations of the text at its end', () => {
    const { losses, lose } = collectLosses();
    const own = { executableCode: { code: '1' } };
    const cited = { url: 'https://example.com', start: 1, end: 2, vendor: { wire: 'responses', value: {} } };
    const chunks = writeChunks(
      [
        start,
        { type: 'part-start', choice: 0, part: 0, kind: 'media', value: { mediaType: 'image/png', base64: 'AAAA' } },
        end(0),
        {
          type: 'part-start',
          choice: 0,
          part: 1,
          kind: 'opaque',
          value: { type: 'opaque', wire: 'generate-content', value: own },
        },
        end(1),
        {
          type: 'part-start',
          choice: 0,
          part: 2,
          kind: 'opaque',
          value: { type: 'opaque', wire: 'messages', value: {} },
        },
        end(2),
        ...text(3, 'é'),
        ...text(4, 'x'),
        { type: 'part-start', choice: 0, part: 5, kind: 'text' },
        delta(5, 'äb'),
        { type: 'part-end', choice: 0, part: 5, citations: [cited] },
        ...finished(),
      ],
      { lose },
    );
    expect(partsOf(chunks).slice(0, 2)).to.deep.equal([{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }, own]);
    expect(candidateOf(chunks.at(-1))['groundingMetadata']).to.deep.equal({
      groundingChunks: [{ web: { uri: 'https://example.com' } }],
      groundingSupports: [{ segment: { startIndex: 5, endIndex: 6, text: 'b' }, groundingChunkIndices: [0] }],
    });
    expect(losses.map(({ field }) => field)).to.deep.equal(['content']);
  });
});
