import type { GenerateRequest, TokenCount } from '../../api/index.ts';
import type { Codec } from '../../api/codec.ts';
import { collectLaws, expectNone, expectSame, type Check } from '../check.ts';
import { decodeResponse, encodeResponse } from '../decode-request.ts';
import { describePlain } from '../expectation.ts';
import { errorLaws } from './error-laws.ts';
import { expectRecorded, presenceLaws } from './expectation-laws.ts';
import { recordedRequestLaws, writeRequest } from './kept-members.ts';
import { expectReadOrRefused } from './mutations.ts';
import { recordReads } from '../record-reads.ts';
import type { RecordedRequest, Recording } from '../recording.ts';
import { sampleRequests } from '../samples.ts';
import { roundTrip } from './whole-request-laws.ts';

export interface CountLawOptions {
  /** Strings and numbers that an encoder can omit, because they do not count. */
  readonly defaults?: readonly (string | number)[];
  /** Members that the counting endpoint refuses. */
  readonly refused?: readonly string[];
}

type CountCodec = Codec<'count-tokens'>;

/** The members of the prompt, which are counted. */
const counted = /^(?:turns|tools)\b.*\.(?:text|name|input|base64|url|description)$/;

/** The whole prompt is sent, and nothing that the endpoint refuses. */
const writesPrompt = (codec: CountCodec, request: GenerateRequest, refused: readonly string[]): void => {
  const record = recordReads(request);
  const { body, losses } = writeRequest(codec, record.value);
  const named = losses.map(({ field }) => field.split(/[.[\]]+/).at(-1) ?? field);
  expectNone(
    record.unread().filter((path) => counted.test(path) && !named.some((field) => path.includes(field))),
    'neither read nor reported as lost',
  );
  expectNone(
    refused.filter((member) => Object.hasOwn(Object(body) as object, member)),
    'refused by the counting endpoint',
  );
};

/** The prompt alone, without members that concern the response. */
const promptOf = ({ turns, tools }: GenerateRequest): unknown =>
  JSON.parse(JSON.stringify({ turns, tools })) as unknown;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const readFlaws = ({ inputTokens, cachedTokens = 0, estimated }: TokenCount): readonly string[] =>
  isCount(inputTokens) && isCount(cachedTokens) && !estimated ? [] : [`counts ${inputTokens} and ${cachedTokens}`];

/** The laws of token counting codecs. Recordings of other wires are ignored. */
export function countLaws(codec: CountCodec, recordings: readonly Recording[], options: CountLawOptions = {}): Check[] {
  const { defaults = [], refused = [] } = options;
  const own = recordings.filter(({ wire }) => wire === codec.wire);
  const { checks, law } = collectLaws(codec.wire);
  const samples = sampleRequests(codec.wire);
  if (codec.upstream !== undefined)
    for (const [name, request] of samples)
      law(`counts all of a prompt with ${name}`, () => writesPrompt(codec, request, refused));
  const [sample] = samples;
  if (codec.client !== undefined && codec.upstream !== undefined && sample !== undefined) {
    const count = { inputTokens: 12, estimated: false };
    law('a round trip preserves a count', () =>
      expectSame(
        decodeResponse(codec, encodeResponse(codec, count, sample[1])),
        count,
        'the count changed when it was written and read again',
      ),
    );
  }
  checks.push(...presenceLaws(codec, own));
  for (const recording of own) {
    const { name, response } = recording;
    const body = response?.body;
    const keepsPrompt = (request: RecordedRequest): void => roundTrip(codec, request, promptOf, 'prompt');
    checks.push(...recordedRequestLaws(codec, recording, defaults, keepsPrompt, 'count'));
    if (codec.upstream === undefined || response === undefined || body === undefined || response.status >= 400)
      continue;
    law(`decodes the count of ${name} as expected, and refuses junk in its place`, () => {
      expectRecorded(recording, describePlain(codec, response));
      expectReadOrRefused(body, (value) => readFlaws(decodeResponse(codec, value)));
    });
  }
  return [...checks, ...errorLaws(codec, own)];
}
