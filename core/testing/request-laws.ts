import { GatewayError, isObject, type Accepted, type Codec, type GenerateRequest, type Loss } from '../index.ts';
import { expectNone, expectSame, type Check } from './check.ts';
import { createLossList, createProfile } from './contexts.ts';
import { mutate } from './mutations.ts';
import { recordReads } from './record-reads.ts';
import type { RecordedRequest, Recording } from './recording.ts';
import { sampleRequests } from './samples.ts';

export interface RequestLawOptions {
  /** Canonical fields that the wire's upstream writer need not read, as patterns of paths (`turns[0].parts[1].name`). */
  readonly unreadable?: readonly RegExp[];
  /** A recorded body in the form in which the codec writes it. Without it, round trips are compared in the canonical form only. */
  readonly normalise?: (body: unknown) => unknown;
}

/** What says nothing to a vendor, or is decided elsewhere: by the lane, by the fits, by the sealing of proofs. */
const unreadable: readonly RegExp[] = [/^wire$/, /^includeUsage$/, /^choices$/, /\.origin\./, /^stream$/, /(?:^|\.)rest\.wire$/, /\.(?:failed|wire|mediaType|kind)$/];

/** @throws GatewayError as the codec does */
const decode = (codec: Codec<'generate'>, request: RecordedRequest, body: unknown = request.body): Accepted<'generate'> => {
  if (codec.client === undefined) throw new Error(`${codec.wire} has no client half`);
  const { headers = {}, query = {}, model, stream } = request;
  const raw = Buffer.from(JSON.stringify(body) ?? '');
  return codec.client.decodeRequest({ raw, body, headers, query, ...(model === undefined ? {} : { model }), ...(stream === undefined ? {} : { stream }) });
};

const encode = (codec: Codec<'generate'>, request: GenerateRequest): { readonly body: unknown; readonly losses: readonly Loss[] } => {
  if (codec.upstream === undefined) throw new Error(`${codec.wire} has no upstream half`);
  const { losses, lose } = createLossList();
  return { body: JSON.parse(JSON.stringify(codec.upstream.encodeRequest(request, createProfile(codec.wire), lose).body)) as unknown, losses };
};

/** Without what an upstream writer decides for itself. */
const comparable = ({ includeUsage: _usage, ...request }: GenerateRequest): unknown => JSON.parse(JSON.stringify(request)) as unknown;

/** Every recorded request comes back as it was: written upstream and read again it means the same, and on its own wire nothing is dropped. */
const roundTrip = (codec: Codec<'generate'>, recorded: RecordedRequest, { normalise }: RequestLawOptions): void => {
  const { request } = decode(codec, recorded);
  const { body, losses } = encode(codec, request);
  expectNone(losses.filter(({ kind }) => kind === 'dropped').map(({ field, detail }) => `${field}: ${detail}`), 'dropped on its own wire');
  if (normalise !== undefined) expectSame(normalise(body), normalise(recorded.body), 'the body written is not the body read');
  expectSame(comparable(decode(codec, recorded, body).request), comparable(request), 'the request written does not read as the request it was written from');
};

/** What nobody expects is refused as a 400 that names the member, or taken; never a TypeError, never a 500. */
const refusesJunk = (codec: Codec<'generate'>, recorded: RecordedRequest): void => {
  const problems = mutate(recorded.body).flatMap(({ name, value }) => {
    try {
      const { request } = decode(codec, recorded, value);
      codec.upstream?.encodeRequest(request, createProfile(codec.wire), () => undefined);
      return [];
    } catch (thrown) {
      if (!GatewayError.is(thrown)) return [`${name}: ${String(thrown)}`];
      if (thrown.status !== 400 && thrown.status !== 404) return [`${name}: status ${thrown.status}`];
      return thrown.param === undefined && isObject(value) ? [`${name}: the error names no member: ${thrown.message}`] : [];
    }
  });
  expectNone(problems.slice(0, 20), `${problems.length} values are not refused properly`);
};

const keepsUnknown = (codec: Codec<'generate'>, recorded: RecordedRequest): void => {
  if (!isObject(recorded.body)) return;
  const { request } = decode(codec, recorded, { ...recorded.body, koine_unknown: { a: [1] } });
  const { body } = encode(codec, request);
  expectSame(isObject(body) ? body['koine_unknown'] : undefined, { a: [1] }, 'an unknown member of the body is lost');
};

/** `topP` as losses may name it: by its own name, or in a wire's way. */
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const isNamed = (path: string, losses: readonly Loss[]): boolean => {
  const words = new Set(path.split(/[.[\]]+/).flatMap((word) => [word, snake(word)]));
  return losses.some(({ field }) => field.split(/[.[\]]+/).some((word) => word !== '' && !/^\d+$/.test(word) && words.has(word)));
};

/** A field that the writer neither reads nor names as lost has been forgotten. */
const readsAll = (codec: Codec<'generate'>, request: GenerateRequest, options: RequestLawOptions): void => {
  const record = recordReads(request);
  const { losses } = encode(codec, record.value);
  const exempt = [...unreadable, ...(options.unreadable ?? [])];
  expectNone(record.unread().filter((path) => !exempt.some((pattern) => pattern.test(path)) && !isNamed(path, losses)), 'neither read nor named as lost');
};

export const requestLaws = (codec: Codec<'generate'>, recordings: readonly Recording[], options: RequestLawOptions = {}): Check[] => {
  const checks: Check[] = [];
  if (codec.upstream !== undefined) {
    for (const [name, request] of sampleRequests(codec.wire)) {
      checks.push({ name: `${codec.wire}: reads or names every field of a request with ${name}`, run: () => readsAll(codec, request, options) });
    }
  }
  if (codec.client === undefined) return checks;
  for (const { name, request } of recordings) {
    if (request === undefined) continue;
    checks.push({ name: `${codec.wire}: refuses junk in the request of ${name}`, run: () => refusesJunk(codec, request) });
    if (codec.upstream === undefined) continue;
    checks.push({ name: `${codec.wire}: round trip of the request of ${name}`, run: () => roundTrip(codec, request, options) });
    checks.push({ name: `${codec.wire}: keeps an unknown member in the request of ${name}`, run: () => keepsUnknown(codec, request) });
  }
  return checks;
};
