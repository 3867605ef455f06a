import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import {
  GatewayError,
  type EmbedResponse,
  type AnyErrorCode,
  type GenerateResponse,
  type Headers,
  type ImageResponse,
  type JsonObject,
  type ModerateResponse,
  type Part,
  type RerankResponse,
  type SpeakResponse,
  type TokenCount,
  type TranscribeResponse,
  type Usage,
} from '../api/index.ts';
import { foldEvents, type AnyCodec, type Codec, type Framing, type GenerateEvent } from '../api/codec.ts';
import { parseJson } from '../framing/json.ts';
import { sse } from '../framing/sse.ts';
import { createReadContext } from './contexts.ts';
import type { Expectation, ExpectedError, ExpectedUsage, RecordedResponse, Recording } from './recording.ts';
import { decodeEvents, decodeFrames } from './streams.ts';

/** How many numbers of a vector are compared. */
const SHOWN = 4;

const isWorthNaming = (value: unknown): boolean => value !== undefined && value !== 0;
const describeUsage = ({ raw: _raw, source: _source, further, ...counts }: Usage): ExpectedUsage => ({
  ...Object.fromEntries(Object.entries(counts).filter(([, value]) => isWorthNaming(value))),
  ...(further === undefined ? {} : { further: further.map(describeUsage) }),
});

const readInput = (input: string): unknown => {
  const value = parseJson(input);
  return typeof value === 'object' && value !== null ? value : input;
};

const describePart = (part: Part): Readonly<JsonObject> => {
  const proof = 'proof' in part && part.proof !== undefined ? { proof: part.proof.value } : {};
  if (part.type === 'text' && part.citations !== undefined)
    return { ...part, ...proof, citations: part.citations.map(({ vendor: _vendor, ...citation }) => citation) };
  if (part.type !== 'tool-call') return { ...part, ...proof };
  const { kind, extra: _extra, input, ...call } = part;
  return kind === 'custom' ? { ...call, kind, input, ...proof } : { ...call, input: readInput(input), ...proof };
};

const describeGenerated = ({ model, choices, usage }: GenerateResponse): Expectation =>
  omitUndefined({
    model,
    choices: choices.map(({ parts, finish: { vendor: _vendor, ...finish } }) => ({
      parts: parts.map(describePart),
      finish,
    })),
    usage: usage && describeUsage(usage),
  });

const describeVectors = ({ model, vectors, usage }: EmbedResponse): Expectation =>
  omitUndefined({
    model,
    vectors: vectors.map((vector) => Array.from(vector.slice(0, SHOWN), (number) => Number(number.toPrecision(6)))),
    dimensions: vectors[0]?.length ?? 0,
    usage: usage && describeUsage(usage),
  });

const describeModeration = ({ model, results, usage }: ModerateResponse): Expectation =>
  omitUndefined({
    model,
    results: results.map(({ flagged, categories }) => ({
      flagged,
      categories: Object.keys(categories).filter((name) => categories[name] === true),
    })),
    usage: usage && describeUsage(usage),
  });

const describeRanks = ({ model, results, usage }: RerankResponse): Expectation =>
  omitUndefined({
    model,
    results: results.map(({ index, score }) => ({ index, score })),
    usage: usage && describeUsage(usage),
  });

const describeText = ({ text, usage }: TranscribeResponse): Expectation =>
  omitUndefined({ text, usage: usage && describeUsage(usage) });

/** The bytes of media are compared by their start. */
const SHOWN_BYTES = 64;
const describeAudio = ({ model, audio, mediaType, usage }: SpeakResponse): Expectation =>
  omitUndefined({
    model,
    results: [{ mediaType, base64: Buffer.from(audio).toString('base64').slice(0, SHOWN_BYTES) }],
    usage: usage && describeUsage(usage),
  });

const describeImages = ({ model, images, usage }: ImageResponse): Expectation =>
  omitUndefined({
    model,
    results: images.map(({ media }) => ({
      mediaType: media.mediaType,
      ...('base64' in media ? { base64: media.base64.slice(0, SHOWN_BYTES) } : {}),
      ...('url' in media ? { url: media.url } : {}),
    })),
    usage: usage && describeUsage(usage),
  });

const describeCount = ({ inputTokens, cachedTokens }: TokenCount): Expectation =>
  omitUndefined({ inputTokens, cachedTokens });

const describeError = ({ code, failure, message, retryAfterMs }: GatewayError): ExpectedError =>
  omitUndefined({ code, failure, message, retryAfterMs });

/** What the events of a stream say. A stream that breaks off has said what came before. */
export function describeEvents(events: readonly GenerateEvent[]): Expectation {
  const last = events.at(-1);
  if (last?.type !== 'error') return inJson(describeGenerated(foldEvents(events)));
  if (!GatewayError.is(last.error)) throw last.error;
  const ended = new Set(events.flatMap((event) => (event.type === 'choice-end' ? [event.choice] : [])));
  const said = describeGenerated(foldEvents(events.filter(({ type }) => type !== 'error')));
  const choices = said.choices?.map(({ parts, finish }, index) => ({ parts, ...(ended.has(index) ? { finish } : {}) }));
  return inJson({ ...said, choices, error: describeError(last.error) });
}

/** As it stands in a file. */
const inJson = (value: unknown): Expectation => JSON.parse(JSON.stringify(value)) as Expectation;

const decodeBody = (codec: AnyCodec, body: unknown, headers: Headers): Expectation => {
  const context = { ...createReadContext(), headers };
  switch (codec.operation) {
    case 'generate':
      return codec.upstream === undefined ? {} : describeGenerated(codec.upstream.decodeResponse(body, context));
    case 'embed':
      return codec.upstream === undefined ? {} : describeVectors(codec.upstream.decodeResponse(body, context));
    case 'moderate':
      return codec.upstream === undefined ? {} : describeModeration(codec.upstream.decodeResponse(body, context));
    case 'rerank':
      return codec.upstream === undefined ? {} : describeRanks(codec.upstream.decodeResponse(body, context));
    case 'transcribe':
    case 'translate':
      return codec.upstream === undefined ? {} : describeText(codec.upstream.decodeResponse(body, context));
    case 'speak':
      return codec.upstream === undefined ? {} : describeAudio(codec.upstream.decodeResponse(body, context));
    case 'image':
      return codec.upstream === undefined ? {} : describeImages(codec.upstream.decodeResponse(body, context));
    case 'count-tokens':
      return codec.upstream === undefined ? {} : describeCount(codec.upstream.decodeResponse(body, context));
    case 'compact':
      return {};
  }
};

/**
 * What a plain response or an error says, as the codec decodes it.
 * @throws whatever the codec throws that is no GatewayError
 */
export function describePlain(codec: AnyCodec, response: RecordedResponse): Expectation {
  const { status, headers = {}, body, text, file } = response;
  if (status >= 400) {
    const error = codec.upstream?.decodeError({ status, headers, body: body ?? text });
    return error === undefined ? {} : inJson({ error: describeError(error) });
  }
  try {
    return inJson(decodeBody(codec, file === undefined ? body : Buffer.from(file, 'base64'), headers));
  } catch (thrown) {
    if (GatewayError.is(thrown)) return inJson({ error: describeError(thrown) });
    throw thrown;
  }
}

/**
 * What a recorded response says, as the codec decodes it: an expectation to read and correct. Undefined without a
 * response, or for a stream that the codec does not read.
 * @param framing of streams; default `sse`
 */
export function describeRecording(
  codec: AnyCodec,
  { response }: Pick<Recording, 'response'>,
  framing: Framing = sse,
): Expectation | undefined {
  if (response === undefined || codec.upstream === undefined) return undefined;
  if (response.text === undefined || response.status >= 400) return describePlain(codec, response);
  const { text } = response;
  if (codec.operation !== 'generate' || codec.upstream.decodeStream === undefined) return undefined;
  return describeEvents(decodeEvents(codec as Codec<'generate'>, decodeFrames([Buffer.from(text)], framing)));
}

/** What the gateway itself says of a response in which there is nothing. */
const EMPTY: ReadonlySet<AnyErrorCode> = new Set(['upstream_truncated', 'upstream_bad_response']);

/** Whether anything was found in the response: a part, a text, a count, a vector, an error. */
export const isRecognised = ({
  choices = [],
  text = '',
  usage = {},
  vectors = [],
  results = [],
  inputTokens,
  error,
}: Expectation): boolean =>
  (error !== undefined && !EMPTY.has(error.code)) ||
  text !== '' ||
  inputTokens !== undefined ||
  vectors.length > 0 ||
  results.length > 0 ||
  choices.some(({ parts }) => parts.length > 0) ||
  Object.keys(usage).length > 0;
