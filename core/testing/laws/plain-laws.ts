import type { WireName } from '../../api/index.ts';
import type { AnyCodec, Codec, RequestOf, ResponseOf } from '../../api/codec.ts';
import { collectLaws, expectSame, type Check } from '../check.ts';
import { decodeResponse, encodeResponse } from '../decode-request.ts';
import { describePlain } from '../expectation.ts';
import type { Recording } from '../recording.ts';
import { errorLaws } from './error-laws.ts';
import { expectRecorded, presenceLaws } from './expectation-laws.ts';
import { expectReadOrRefused } from './mutations.ts';
import { checkUsage } from './usage-rules.ts';
import { readsWhole, wholeRequestLaws, type PlainOperation } from './whole-request-laws.ts';
import { wholeStreamLaws } from './whole-stream-laws.ts';

/** Requests that together have every canonical member, by the name of what they show. */
export type SampleRequests<O extends PlainOperation> = readonly (readonly [name: string, request: RequestOf<O>])[];

/** Requests to moderate that together have every canonical member. */
export function sampleModerateRequests(wire: WireName): SampleRequests<'moderate'> {
  const extra = { wire, members: {} };
  const media = { mediaType: 'image/png', base64: 'iVBORw0KGgo=' };
  return [
    ['a text', { contents: [[{ type: 'text', text: 'Grüße 😀' }]], extra }],
    ['texts', { contents: [[{ type: 'text', text: 'Hello' }], [{ type: 'text', text: 'World' }]], extra }],
    [
      'an image',
      {
        contents: [
          [
            { type: 'text', text: 'Hello' },
            { type: 'media', media, detail: 'low' },
          ],
        ],
        extra,
      },
    ],
    [
      'members of another wire',
      {
        contents: [[{ type: 'text', text: 'Hello' }]],
        extra: { wire: 'elsewhere', members: { koine_unknown: { a: [1] } } },
      },
    ],
  ];
}

/** Requests to rerank that together have every canonical member. */
export function sampleRerankRequests(wire: WireName): SampleRequests<'rerank'> {
  const base = { query: 'Grüße 😀', documents: ['Hello', 'World'], extra: { wire, members: {} } };
  return [
    ['documents', base],
    ['the best document', { ...base, top: 1 }],
    ['documents in results', { ...base, withDocuments: true }],
    ['members of another wire', { ...base, extra: { wire: 'elsewhere', members: { koine_unknown: { a: [1] } } } }],
  ];
}

/** Requests for images that together have every canonical member. */
export function sampleImageRequests(wire: WireName): SampleRequests<'image'> {
  const base = { prompt: 'Grüße 😀', images: [], count: 1, stream: false, extra: { wire, members: {} } } as const;
  const media = { mediaType: 'image/png', base64: 'iVBORw0KGgo=' };
  return [
    ['a prompt', base],
    ['a size', { ...base, size: '1024x1024', quality: 'low', format: 'png' }],
    ['several images', { ...base, count: 2, delivery: 'bytes', user: 'u' }],
    ['addresses', { ...base, delivery: 'url' }],
    ['an image to edit', { ...base, images: [{ type: 'media', media }] }],
    ['a stream', { ...base, stream: true }],
    ['members of another wire', { ...base, extra: { wire: 'elsewhere', members: { koine_unknown: { a: [1] } } } }],
  ];
}

/** Requests to speak that together have every canonical member. */
export function sampleSpeakRequests(wire: WireName): SampleRequests<'speak'> {
  const base = { text: 'Grüße 😀', stream: false, extra: { wire, members: {} } } as const;
  return [
    ['a text', base],
    ['a format', { ...base, format: 'wav' }],
    ['another format', { ...base, format: 'opus' }],
    ['a voice', { ...base, voice: 'Kore' }],
    ['instructions', { ...base, instructions: 'Whisper', format: 'pcm' }],
    ['a speed', { ...base, speed: 1.5 }],
    ['a stream', { ...base, stream: true }],
    ['members of another wire', { ...base, extra: { wire: 'elsewhere', members: { koine_unknown: { a: [1] } } } }],
  ];
}

export interface PlainLawOptions<O extends PlainOperation> {
  readonly samples: SampleRequests<O>;
  /** Strings and numbers that an encoder can omit, because they are the default. */
  readonly defaults?: readonly (string | number)[];
}

/** A member that names the wire or the kind of a part is expressed by the form of the body. */
const isForm = (path: string): boolean => /(?:^extra\.wire|\.type)$/.test(path);

/** What a response says, without its usage, which not every wire has. */
const withoutUsage = ({ usage: _usage, ...response }: ResponseOf<PlainOperation>): unknown => response;

const survivesWriting = <O extends PlainOperation>(
  codec: Codec<O>,
  request: RequestOf<O>,
  response: ResponseOf<O>,
): void => {
  expectSame(
    withoutUsage(decodeResponse(codec, encodeResponse(codec, response, request))),
    withoutUsage(response),
    'the response changed when it was written and read again',
  );
};

const readUsageFlaws = ({ usage }: ResponseOf<PlainOperation>): readonly string[] =>
  usage === undefined ? [] : checkUsage(usage);

const responseLaws = <O extends PlainOperation>(
  codec: Codec<O>,
  recording: Recording,
  sample: RequestOf<O> | undefined,
): Check[] => {
  const { name, response } = recording;
  const { checks, law } = collectLaws(codec.wire);
  if (codec.upstream === undefined || response === undefined || response.status >= 400) return checks;
  const { body, file } = response;
  if (file === undefined && body === undefined) return checks;
  law(`decodes the response of ${name} as expected`, () =>
    expectRecorded(recording, describePlain(codec as AnyCodec, response)),
  );
  if (file !== undefined) return checks;
  law(`refuses junk in the response of ${name}`, () =>
    expectReadOrRefused(body, (value) => readUsageFlaws(decodeResponse(codec, value))),
  );
  if (codec.client !== undefined && sample !== undefined)
    law(`a round trip preserves the response of ${name}`, () =>
      survivesWriting(codec, sample, decodeResponse(codec, body)),
    );
  return checks;
};

/** The laws of codecs whose operation is no conversation. Recordings of other wires are ignored. */
export function plainLaws<O extends PlainOperation>(
  codec: Codec<O>,
  recordings: readonly Recording[],
  { samples, defaults = [] }: PlainLawOptions<O>,
): Check[] {
  const own = recordings.filter(({ wire }) => wire === codec.wire);
  const { checks, law } = collectLaws(codec.wire);
  if (codec.upstream !== undefined)
    for (const [name, request] of samples)
      law(`reads or names every field of a request with ${name}`, () => readsWhole(codec, request, isForm));
  return [
    ...checks,
    ...own.flatMap((recording) => [
      ...wholeRequestLaws(codec, recording, defaults, (request) => request),
      ...responseLaws(codec, recording, samples[0]?.[1]),
    ]),
    ...wholeStreamLaws(codec),
    ...presenceLaws(codec as AnyCodec, own),
    ...errorLaws(codec as AnyCodec, own),
  ];
}
