import type { Operation } from '../../api/index.ts';
import { isObject, type Codec, type Loss, type RequestOf } from '../../api/codec.ts';
import { parseJson } from '../../framing/json.ts';
import { collectLaws, expectNone, type Check } from '../check.ts';
import { createLossList, createProfile } from '../contexts.ts';
import { decodeRequest, refusesJunk } from '../decode-request.ts';
import type { RecordedRequest, Recording } from '../recording.ts';

/** A request as the upstream side encodes it, in JSON, and the reported losses. */
export function writeRequest<O extends Operation>(
  codec: Codec<O>,
  request: RequestOf<O>,
): { readonly body: unknown; readonly losses: readonly Loss[] } {
  if (codec.upstream === undefined) throw new Error(`${codec.wire} has no upstream side`);
  const { losses, lose } = createLossList();
  return {
    body: JSON.parse(
      JSON.stringify(codec.upstream.encodeRequest(request, createProfile(codec.wire), lose).body),
    ) as unknown,
    losses,
  };
}

/** All strings and numbers within a value, including those in JSON strings. */
const listScalars = (value: unknown): (string | number)[] => {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') {
    const parsed = parseJson(value);
    return typeof parsed === 'object' && parsed !== null ? listScalars(parsed) : [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listScalars) : [];
};

/**
 * Nothing is dropped silently: every string and number of a recorded request occurs in the one encoded on the same
 * wire.
 */
function keepsScalars<O extends Operation>(
  codec: Codec<O>,
  recorded: RecordedRequest,
  defaults: readonly (string | number)[],
): void {
  const { model, request } = decodeRequest(codec, recorded);
  const written = new Set([...listScalars(writeRequest(codec, request).body), ...defaults, '', model]);
  expectNone(
    [...new Set(listScalars(recorded.body))]
      .filter((scalar) => !written.has(scalar))
      .map((scalar) => JSON.stringify(scalar).slice(0, 100)),
    'missing from the request',
  );
}

/** An unknown member is sent back on its own wire. */
function keepsUnknown<O extends Operation>(codec: Codec<O>, recorded: RecordedRequest): void {
  if (!isObject(recorded.body)) return;
  const { request } = decodeRequest(codec, recorded, { ...recorded.body, koine_unknown: { a: [1] } });
  if (!JSON.stringify(writeRequest(codec, request).body).includes('"koine_unknown":{"a":[1]}'))
    throw new Error('an unknown member of the body is lost');
}

/**
 * The laws of a recorded request.
 * @param what the recording is of
 * @param roundTrip throws if the request changes when it is written and read again
 */
export function recordedRequestLaws<O extends Operation>(
  codec: Codec<O>,
  { name, request, response }: Recording,
  defaults: readonly (string | number)[],
  roundTrip: (recorded: RecordedRequest) => void,
  what = 'request',
): Check[] {
  const { checks, law } = collectLaws(codec.wire);
  if (codec.client === undefined || request === undefined) return checks;
  law(`refuses junk in the ${what} of ${name}`, () => refusesJunk(codec, request));
  if (codec.upstream === undefined || (response !== undefined && response.status >= 400)) return checks;
  law(`a round trip preserves the ${what} of ${name}`, () => roundTrip(request));
  law(`keeps every text of the ${what} of ${name}`, () => keepsScalars(codec, request, defaults));
  law(`keeps an unknown member in the ${what} of ${name}`, () => keepsUnknown(codec, request));
  return checks;
}
