import { GatewayError, type EmbedRequest, type EmbedResponse, type WireName } from '../../api/index.ts';
import type { Codec } from '../../api/codec.ts';
import { expectNone, expectSame, type Check } from '../check.ts';
import { createProfile, createReadContext, createWriteContext } from '../contexts.ts';
import { decodeRequest, refusesJunk } from '../decode-request.ts';
import { describePlain } from '../expectation.ts';
import { errorLaws } from './error-laws.ts';
import { expectRecorded, presenceLaws } from './expectation-laws.ts';
import { keepsScalars, keepsUnknown, writeRequest } from './kept-members.ts';
import { mutate } from './mutations.ts';
import { recordReads } from '../record-reads.ts';
import type { RecordedRequest, Recording } from '../recording.ts';
import { checkUsage } from './usage-rules.ts';

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
const sampleUsage = {
  inputUncached: 7,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  source: 'provider',
} as const;
const encodings = ['float', 'base64'] as const;

const decode = (codec: Codec<'embed'>, body: unknown): EmbedResponse => {
  if (codec.upstream === undefined) throw new Error(`${codec.wire} has no upstream side`);
  return codec.upstream.decodeResponse(body, createReadContext());
};
const encode = (codec: Codec<'embed'>, response: EmbedResponse, encoding: EmbedRequest['encoding']): unknown => {
  if (codec.client === undefined) throw new Error(`${codec.wire} has no client side`);
  const request: EmbedRequest = {
    inputs: response.vectors.map((_, index) => `text ${index}`),
    encoding,
    extra: { wire: codec.wire, members: {} },
  };
  return JSON.parse(
    JSON.stringify(codec.client.encodeResponse(response, createWriteContext<'embed'>(request))),
  ) as unknown;
};

/**
 * A request is encoded and decoded unchanged, or refused because the wire cannot express it; omissions are reported as
 * losses.
 */
const readsAll = (codec: Codec<'embed'>, request: EmbedRequest): void => {
  const record = recordReads(request);
  try {
    const { losses } = writeRequest(codec, record.value);
    const named = losses.map(({ field }) => field);
    expectNone(
      record
        .unread()
        .filter((path) => !/^(?:encoding|extra\.wire)$/.test(path) && !named.some((field) => path.includes(field))),
      'neither read nor reported as lost',
    );
  } catch (thrown) {
    if (!GatewayError.is(thrown) || thrown.code !== 'unsupported_parameter' || thrown.param === undefined) throw thrown;
  }
};

const roundTrip = (codec: Codec<'embed'>, recorded: RecordedRequest): void => {
  const { request } = decodeRequest(codec, recorded);
  const { body, losses } = writeRequest(codec, request);
  expectNone(
    losses.map(({ field, detail }) => `${field}: ${detail}`),
    'lost on its own wire',
  );
  const { inputs, dimensions, encoding } = decodeRequest(codec, recorded, body).request;
  expectSame(
    { inputs, dimensions, encoding },
    { inputs: request.inputs, dimensions: request.dimensions, encoding: request.encoding },
    'the request changed when it was written and read again',
  );
};

/** In every encoding, vectors are decoded to the same 32-bit floats in the same order. */
const survivesWriting = (codec: Codec<'embed'>, response: EmbedResponse): void => {
  for (const encoding of encodings) {
    const { vectors, usage } = decode(codec, encode(codec, response, encoding));
    expectSame(vectors, response.vectors, `the vectors changed when they were written as ${encoding} and read again`);
    if (response.usage !== undefined)
      expectSame(usage?.inputUncached, response.usage.inputUncached, 'the usage changed');
  }
};

const refusesJunkResponses = (codec: Codec<'embed'>, body: unknown): void => {
  const problems = mutate(body).flatMap(({ name, value }) => {
    try {
      const { usage, vectors } = decode(codec, value);
      const wrong = vectors.every((vector) => vector.length > 0 && vector.every(Number.isFinite))
        ? []
        : ['a vector is empty, or holds what is no number'];
      return [...wrong, ...(usage === undefined ? [] : checkUsage(usage))].map((problem) => `${name}: ${problem}`);
    } catch (thrown) {
      return GatewayError.is(thrown) ? [] : [`${name}: ${String(thrown)}`];
    }
  });
  expectNone(problems.slice(0, 20), `${problems.length} bodies are not read properly`);
};

const requestLaws = (
  codec: Codec<'embed'>,
  { name, request, response }: Recording,
  { defaults = [] }: EmbedLawOptions,
): Check[] => {
  if (codec.client === undefined || request === undefined) return [];
  const write = (decoded: EmbedRequest): void =>
    void codec.upstream?.encodeRequest(decoded, createProfile(codec.wire), () => undefined);
  const junk: Check = {
    name: `${codec.wire}: refuses junk in the request of ${name}`,
    run: () => refusesJunk(codec, request, write),
  };
  if (codec.upstream === undefined || (response !== undefined && response.status >= 400)) return [junk];
  return [
    junk,
    { name: `${codec.wire}: a round trip preserves the request of ${name}`, run: () => roundTrip(codec, request) },
    {
      name: `${codec.wire}: keeps every text of the request of ${name}`,
      run: () => keepsScalars(codec, request, defaults),
    },
    {
      name: `${codec.wire}: keeps an unknown member in the request of ${name}`,
      run: () => keepsUnknown(codec, request),
    },
  ];
};

const responseLaws = (codec: Codec<'embed'>, recording: Recording): Check[] => {
  const { name, response } = recording;
  if (codec.upstream === undefined || response?.body === undefined || response.status >= 400) return [];
  const { body } = response;
  const asExpected = (): void => {
    expectRecorded(recording, describePlain(codec, response));
    expectNone(checkUsage(decode(codec, body).usage ?? sampleUsage), 'usage');
  };
  const checks: Check[] = [
    { name: `${codec.wire}: decodes the response of ${name} as expected`, run: asExpected },
    { name: `${codec.wire}: refuses junk in the response of ${name}`, run: () => refusesJunkResponses(codec, body) },
  ];
  if (codec.client !== undefined)
    checks.push({
      name: `${codec.wire}: a round trip preserves the response of ${name}`,
      run: () => survivesWriting(codec, decode(codec, body)),
    });
  return checks;
};

/** The laws of embeddings codecs. Recordings of other wires are ignored. */
export function embedLaws(
  codec: Codec<'embed'>,
  recordings: readonly Recording[],
  options: EmbedLawOptions = {},
): Check[] {
  const own = recordings.filter(({ wire }) => wire === codec.wire);
  const checks: Check[] = [];
  if (codec.upstream !== undefined) {
    for (const [name, request] of sampleEmbedRequests(codec.wire))
      checks.push({
        name: `${codec.wire}: reads or names every field of a request with ${name}`,
        run: () => readsAll(codec, request),
      });
  }
  if (codec.client !== undefined && codec.upstream !== undefined) {
    for (const vectors of [sampleVectors, sampleVectors.slice(0, 1)]) {
      checks.push({
        name: `${codec.wire}: a round trip preserves a response with ${vectors.length} vectors`,
        run: () => survivesWriting(codec, { model: 'model', vectors, usage: sampleUsage }),
      });
    }
  }
  return [
    ...checks,
    ...own.flatMap((recording) => [...requestLaws(codec, recording, options), ...responseLaws(codec, recording)]),
    ...presenceLaws(codec, own),
    ...errorLaws(codec, own),
  ];
}
