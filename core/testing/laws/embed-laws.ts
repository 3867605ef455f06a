import type { EmbedRequest, EmbedResponse, WireName } from '../../api/index.ts';
import { type Codec, noTokens } from '../../api/codec.ts';
import { collectLaws, expectNone, expectSame, type Check } from '../check.ts';
import { decodeResponse, encodeResponse } from '../decode-request.ts';
import { describePlain } from '../expectation.ts';
import { errorLaws } from './error-laws.ts';
import { expectRecorded, presenceLaws } from './expectation-laws.ts';
import { expectReadOrRefused } from './mutations.ts';
import type { Recording } from '../recording.ts';
import { checkUsage } from './usage-rules.ts';
import { readsWhole, wholeRequestLaws } from './whole-request-laws.ts';

export interface EmbedLawOptions {
  /** Strings and numbers that an encoder can omit, because they are the default. */
  readonly defaults?: readonly (string | number)[];
}

/** Requests that together have every canonical member. */
export function sampleEmbedRequests(wire: WireName): readonly (readonly [name: string, request: EmbedRequest])[] {
  const base: EmbedRequest = { inputs: ['Hello', 'Grüße 😀'], encoding: 'float', extra: { wire, members: {} } };
  return [
    ['texts', base],
    ['token ids', { ...base, inputs: [[1, 2], [3]] }],
    ['dimensions', { ...base, dimensions: 256 }],
    ['base64', { ...base, encoding: 'base64' }],
    ['members of another wire', { ...base, extra: { wire: 'elsewhere', members: { koine_unknown: { a: [1] } } } }],
  ];
}

const sampleVectors = [Float32Array.of(0.1, -0.25, 3e-8), Float32Array.of(-1, 0, 0.5)];
const sampleUsage = { ...noTokens, inputUncached: 7, source: 'provider' } as const;
const encodings = ['float', 'base64'] as const;

const isForm = (path: string): boolean => /^(?:encoding|extra\.wire)$/.test(path);

/** What a round trip has to preserve. */
const comparedOf = ({ inputs, dimensions, encoding }: EmbedRequest): unknown => ({ inputs, dimensions, encoding });

/** In every encoding, vectors are decoded to the same 32-bit floats in the same order. */
const survivesWriting = (codec: Codec<'embed'>, response: EmbedResponse): void => {
  const inputs = response.vectors.map((_, index) => `text ${index}`);
  for (const encoding of encodings) {
    const request: EmbedRequest = { inputs, encoding, extra: { wire: codec.wire, members: {} } };
    const { vectors, usage } = decodeResponse(codec, encodeResponse(codec, response, request));
    expectSame(vectors, response.vectors, `the vectors changed when they were written as ${encoding} and read again`);
    if (response.usage !== undefined)
      expectSame(usage?.inputUncached, response.usage.inputUncached, 'the usage changed');
  }
};

const readFlaws = ({ usage, vectors }: EmbedResponse): readonly string[] => {
  const isWhole = vectors.every((vector) => vector.length > 0 && vector.every(Number.isFinite));
  return [
    ...(isWhole ? [] : ['a vector is empty, or holds what is no number']),
    ...(usage === undefined ? [] : checkUsage(usage)),
  ];
};

const responseLaws = (codec: Codec<'embed'>, recording: Recording): Check[] => {
  const { name, response } = recording;
  const { checks, law } = collectLaws(codec.wire);
  const body = response?.body;
  if (codec.upstream === undefined || response === undefined || body === undefined || response.status >= 400)
    return checks;
  law(`decodes the response of ${name} as expected`, () => {
    expectRecorded(recording, describePlain(codec, response));
    expectNone(checkUsage(decodeResponse(codec, body).usage ?? sampleUsage), 'usage');
  });
  law(`refuses junk in the response of ${name}`, () =>
    expectReadOrRefused(body, (value) => readFlaws(decodeResponse(codec, value))),
  );
  if (codec.client !== undefined)
    law(`a round trip preserves the response of ${name}`, () => survivesWriting(codec, decodeResponse(codec, body)));
  return checks;
};

/** The laws of embeddings codecs. Recordings of other wires are ignored. */
export function embedLaws(
  codec: Codec<'embed'>,
  recordings: readonly Recording[],
  options: EmbedLawOptions = {},
): Check[] {
  const own = recordings.filter(({ wire }) => wire === codec.wire);
  const { checks, law } = collectLaws(codec.wire);
  if (codec.upstream !== undefined)
    for (const [name, request] of sampleEmbedRequests(codec.wire))
      law(`reads or names every field of a request with ${name}`, () => readsWhole(codec, request, isForm));
  if (codec.client !== undefined && codec.upstream !== undefined)
    for (const vectors of [sampleVectors, sampleVectors.slice(0, 1)])
      law(`a round trip preserves a response with ${vectors.length} vectors`, () =>
        survivesWriting(codec, { model: 'model', vectors, usage: sampleUsage }),
      );
  return [
    ...checks,
    ...own.flatMap((recording) => [
      ...wholeRequestLaws(codec, recording, options.defaults ?? [], comparedOf),
      ...responseLaws(codec, recording),
    ]),
    ...presenceLaws(codec, own),
    ...errorLaws(codec, own),
  ];
}
