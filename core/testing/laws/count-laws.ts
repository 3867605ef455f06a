import type { GenerateRequest, TokenCount } from '../../api/index.ts';
import type { Codec } from '../../api/codec.ts';
import { expectNone, expectSame, type Check } from '../check.ts';
import { createProfile, createReadContext, createWriteContext } from '../contexts.ts';
import { decodeRequest, refusesJunk } from '../decode-request.ts';
import { describePlain } from '../expectation.ts';
import { errorLaws } from './error-laws.ts';
import { expectRecorded, presenceLaws } from './expectation-laws.ts';
import { keepsScalars, keepsUnknown, writeRequest } from './kept-members.ts';
import { expectReadOrRefused } from './mutations.ts';
import { recordReads } from '../record-reads.ts';
import type { RecordedRequest, Recording } from '../recording.ts';
import { sampleRequests } from '../samples.ts';

export interface CountLawOptions {
  /** Strings and numbers that an encoder can omit, because they do not count. */
  readonly defaults?: readonly (string | number)[];
  /** Members that the counting endpoint refuses. */
  readonly refused?: readonly string[];
}

type CountCodec = Codec<'count-tokens'>;

const decode = (codec: CountCodec, body: unknown): TokenCount => {
  if (codec.upstream === undefined) throw new Error(`${codec.wire} has no upstream side`);
  return codec.upstream.decodeResponse(body, createReadContext());
};
const [sample] = sampleRequests('elsewhere');
const encode = (codec: CountCodec, count: TokenCount): unknown => {
  if (codec.client === undefined || sample === undefined) throw new Error(`${codec.wire} has no client side`);
  return JSON.parse(
    JSON.stringify(codec.client.encodeResponse(count, createWriteContext<'count-tokens'>(sample[1]))),
  ) as unknown;
};

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
const roundTrip = (codec: CountCodec, recorded: RecordedRequest): void => {
  const { request } = decodeRequest(codec, recorded);
  const { body, losses } = writeRequest(codec, request);
  expectNone(
    losses.map(({ field, detail }) => `${field}: ${detail}`),
    'lost on its own wire',
  );
  expectSame(
    promptOf(decodeRequest(codec, recorded, body).request),
    promptOf(request),
    'the prompt changed when it was written and read again',
  );
};

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const readFlaws = ({ inputTokens, cachedTokens = 0, estimated }: TokenCount): readonly string[] =>
  isCount(inputTokens) && isCount(cachedTokens) && !estimated ? [] : [`counts ${inputTokens} and ${cachedTokens}`];

const recordedLaws = (codec: CountCodec, recording: Recording, { defaults = [] }: CountLawOptions): Check[] => {
  const { name, request, response } = recording;
  const checks: Check[] = [];
  const failed = response !== undefined && response.status >= 400;
  const write = (decoded: GenerateRequest): void =>
    void codec.upstream?.encodeRequest(decoded, createProfile(codec.wire), () => undefined);
  if (codec.client !== undefined && request !== undefined) {
    checks.push({
      name: `${codec.wire}: refuses junk in the count of ${name}`,
      run: () => refusesJunk(codec, request, write),
    });
    if (codec.upstream !== undefined && !failed) {
      checks.push({
        name: `${codec.wire}: a round trip preserves the count of ${name}`,
        run: () => roundTrip(codec, request),
      });
      checks.push({
        name: `${codec.wire}: keeps every text of the count of ${name}`,
        run: () => keepsScalars(codec, request, defaults),
      });
      checks.push({
        name: `${codec.wire}: keeps an unknown member in the count of ${name}`,
        run: () => keepsUnknown(codec, request),
      });
    }
  }
  const body = response?.body;
  if (codec.upstream !== undefined && response !== undefined && body !== undefined && !failed)
    checks.push({
      name: `${codec.wire}: decodes the count of ${name} as expected, and refuses junk in its place`,
      run: () => {
        expectRecorded(recording, describePlain(codec, response));
        expectReadOrRefused(body, (value) => readFlaws(decode(codec, value)));
      },
    });
  return checks;
};

/** The laws of token counting codecs. Recordings of other wires are ignored. */
export function countLaws(codec: CountCodec, recordings: readonly Recording[], options: CountLawOptions = {}): Check[] {
  const own = recordings.filter(({ wire }) => wire === codec.wire);
  const checks: Check[] = [];
  if (codec.upstream !== undefined) {
    for (const [name, request] of sampleRequests(codec.wire))
      checks.push({
        name: `${codec.wire}: counts all of a prompt with ${name}`,
        run: () => writesPrompt(codec, request, options.refused ?? []),
      });
  }
  if (codec.client !== undefined && codec.upstream !== undefined) {
    const count = { inputTokens: 12, estimated: false };
    checks.push({
      name: `${codec.wire}: a round trip preserves a count`,
      run: () =>
        expectSame(decode(codec, encode(codec, count)), count, 'the count changed when it was written and read again'),
    });
  }
  return [
    ...checks,
    ...presenceLaws(codec, own),
    ...own.flatMap((recording) => recordedLaws(codec, recording, options)),
    ...errorLaws(codec, own),
  ];
}
