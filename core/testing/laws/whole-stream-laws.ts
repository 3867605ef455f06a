import { GatewayError, inputTotal, type Usage } from '../../api/index.ts';
import { type Codec, type Frame, isObject, noTokens, type RequestOf, type ResponseOf } from '../../api/codec.ts';
import { parseJson } from '../../framing/json.ts';
import { collectLaws, expectNone, type Check } from '../check.ts';
import { createLossList, createProfile, createWriteContext } from '../contexts.ts';
import type { PlainOperation } from './whole-request-laws.ts';

const usage: Usage = { ...noTokens, inputUncached: 30, output: 12, source: 'provider' };
const png = { mediaType: 'image/png', base64: 'iVBORw0KGgo=' };
const audio = Uint8Array.from({ length: 100_001 }, (_, index) => (index * 7) % 251);
const image = { prompt: 'A cat', images: [], count: 1, stream: true };

/** Streamed requests and whole responses to them. */
const samples: Partial<
  Record<PlainOperation, readonly (readonly [name: string, request: object, response: object])[]>
> = {
  'transcribe': [
    ['a text', { audio: { bytes: 64_000, seconds: 2 }, stream: true }, { text: 'Grüße 😀\n"two"', usage }],
    ['a text without usage', { audio: { bytes: 64_000, seconds: 2 }, stream: true }, { text: 'Hello.' }],
  ],
  'speak': [
    ['a file', { text: 'Hello', stream: true }, { audio, mediaType: 'audio/mpeg', usage }],
    ['samples', { text: 'Hello', stream: true, format: 'wav' }, { audio, mediaType: 'audio/L16;rate=24000' }],
  ],
  'image': [
    ['an image', image, { images: [{ media: png }], usage: { ...usage, outputImage: 12 } }],
    [
      'an image with a prompt of its own',
      image,
      { images: [{ media: png, revisedPrompt: 'A small cat' }], size: '1x1' },
    ],
    ['images', { ...image, count: 2 }, { images: [{ media: png }, { media: { ...png, base64: '/9j/' } }], usage }],
  ],
};

/** The strings of a value by the names of their members, joined in their order. */
const collectStrings = (value: unknown, name: string, into: Map<string, string>): Map<string, string> => {
  if (typeof value === 'string') into.set(name, (into.get(name) ?? '') + value);
  else if (Array.isArray(value)) for (const item of value) collectStrings(item, name, into);
  else if (isObject(value)) for (const [member, child] of Object.entries(value)) collectStrings(child, member, into);
  return into;
};

/** What the plain body says of the response, by its names in the body; or the bytes of its file. */
const listContents = (body: unknown, response: object): readonly (readonly [name: string, content: string])[] => {
  if (isObject(body) && body['bytes'] instanceof Uint8Array)
    return [['the file', Buffer.from(body['bytes']).toString('base64')]];
  const said = new Set(collectStrings(response, '', new Map()).values());
  return [...collectStrings(JSON.parse(JSON.stringify(body)), '', new Map())].filter(([, text]) => said.has(text));
};

/** What the frames do not say of these. Deltas of a text, and parts of a file, are read together. */
const findMissing = (
  contents: readonly (readonly [name: string, content: string])[],
  frames: readonly Frame[],
  lost: readonly string[],
): readonly string[] => {
  const written = new Map<string, string>();
  for (const { data } of frames) collectStrings(parseJson(data), '', written);
  const texts = new Set(written.values());
  return contents
    .filter(([name, content]) => !texts.has(content) && !lost.includes(name))
    .map(([name, content]) => `${name} (${content.slice(0, 40)}) is neither in the frames nor a loss`);
};

/** What is wrong with the frames as the wire's own tap reads them: it watches the streams of vendors. */
const watch = <O extends PlainOperation>(
  codec: Codec<O>,
  request: RequestOf<O>,
  frames: readonly Frame[],
  reported: Usage | undefined,
): readonly string[] => {
  const inbound = { raw: new Uint8Array(), body: {}, headers: {}, query: {} };
  const plan = codec.upstream?.native?.(inbound, request, createProfile(codec.wire));
  if (plan === undefined) return [];
  const tap = plan.tap();
  const verdicts = frames.map((frame) => tap.inspectFrame(frame));
  const { error, usage: seen } = tap.observed;
  const end = verdicts.indexOf('end');
  const problems: string[] = [];
  if (error !== undefined) problems.push(`they are read as an error: ${error.message}`);
  if (!verdicts.some((verdict) => verdict === 'content' || verdict === 'end')) problems.push('they have no content');
  if (end !== -1 && end < frames.length - 1)
    problems.push(`${frames.length - 1 - end} of them come after the last event`);
  if (end === -1 && tap.end() !== undefined) problems.push('they are read as a stream that was cut');
  if (
    reported !== undefined &&
    (seen === undefined || inputTotal(seen) !== inputTotal(reported) || seen.output !== reported.output)
  )
    problems.push(`their usage is ${JSON.stringify(seen)}, not that of the response`);
  return problems;
};

/** A whole response becomes a stream of the wire that says as much, with its usage; what is lost is named. */
const becomesStream = <O extends PlainOperation>(
  codec: Codec<O>,
  request: RequestOf<O>,
  response: ResponseOf<O>,
): void => {
  const { client } = codec;
  const { losses, lose } = createLossList();
  const frames: Frame[] = [];
  client?.encodeAsStream?.(
    response,
    createWriteContext<O>(request, lose),
    (event, data) => void frames.push({ event, data }),
  );
  if (frames.length === 0) throw new Error('no frame is written');
  const empty = frames.filter(({ data }) => data === '').length;
  const body = client?.encodeResponse(response, createWriteContext<O>({ ...request, stream: false }));
  expectNone(
    [
      ...(empty === 0 ? [] : [`${empty} of them have no data, which is a comment`]),
      ...watch(codec, request, frames, response.usage),
      ...findMissing(
        listContents(body, response),
        frames,
        losses.map(({ field }) => field),
      ),
    ],
    'the frames written',
  );
};

/** The frames say the address of an image, or such a response is an error of the vendor, and no other. */
const refusesAddress = <O extends PlainOperation>(codec: Codec<O>): void => {
  const response = { images: [{ media: { mediaType: 'image/png', url: 'https://example.com/a.png' } }] };
  try {
    becomesStream(
      codec,
      { ...image, extra: { wire: codec.wire, members: {} } } as RequestOf<O>,
      response as ResponseOf<O>,
    );
  } catch (thrown) {
    if (!GatewayError.is(thrown) || thrown.code !== 'upstream_bad_response') throw thrown;
  }
};

/** The laws of `encodeAsStream`, for a codec that has it. */
export function wholeStreamLaws<O extends PlainOperation>(codec: Codec<O>): Check[] {
  const { checks, law } = collectLaws(codec.wire);
  if (codec.client?.encodeAsStream === undefined) return checks;
  for (const [name, request, response] of samples[codec.operation] ?? [])
    law(`writes a whole response as a stream, with ${name}`, () =>
      // The table has samples of this operation, which the compiler cannot see through the type parameter.
      becomesStream(
        codec,
        { ...request, extra: { wire: codec.wire, members: {} } } as RequestOf<O>,
        response as ResponseOf<O>,
      ),
    );
  if (codec.operation === 'image')
    law('writes no address of an image as a stream, or says it', () => refusesAddress(codec));
  return checks;
}
