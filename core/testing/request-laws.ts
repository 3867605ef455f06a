import { GatewayError, isObject, type Accepted, type Codec, type GenerateRequest, type Loss, type Turn } from '../index.ts';
import { parseJson } from '../framing/json.ts';
import { expectNone, expectSame, type Check } from './check.ts';
import { createLossList, createProfile } from './contexts.ts';
import { mutate } from './mutations.ts';
import { recordReads } from './record-reads.ts';
import type { RecordedRequest, Recording } from './recording.ts';
import { sampleRequests } from './samples.ts';

export interface RequestLawOptions {
  /** Canonical fields that the wire's upstream writer need not read, as patterns of paths (`turns[0].parts[1].name`). */
  readonly unreadable?: readonly RegExp[];
  /** Texts and numbers that a writer may leave out, because to leave them out says the same. */
  readonly defaults?: readonly (string | number)[];
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

/** Neighbours of one role mean what one turn with the parts of both means; writers may join them. */
const joinTurns = (turns: readonly Turn[]): Turn[] => {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last === undefined || last.role !== turn.role || last.rest !== undefined || turn.rest !== undefined) joined.push(turn);
    else joined.splice(-1, 1, { ...last, parts: [...last.parts, ...turn.parts] });
  }
  return joined;
};

/** Without what an upstream writer decides for itself. */
const comparable = ({ includeUsage: _usage, turns, ...request }: GenerateRequest): unknown => JSON.parse(JSON.stringify({ ...request, turns: joinTurns(turns) })) as unknown;

/** Every recorded request comes back as it was: written upstream and read again it means the same, and on its own wire nothing is dropped. */
const roundTrip = (codec: Codec<'generate'>, recorded: RecordedRequest, { normalise }: RequestLawOptions): void => {
  const { request } = decode(codec, recorded);
  const { body, losses } = encode(codec, request);
  expectNone(losses.filter(({ kind }) => kind === 'dropped').map(({ field, detail }) => `${field}: ${detail}`), 'dropped on its own wire');
  if (normalise !== undefined) expectSame(normalise(body), normalise(recorded.body), 'the body written is not the body read');
  expectSame(comparable(decode(codec, recorded, body).request), comparable(request), 'the request written does not read as the request it was written from');
};

/** All texts and numbers within a value; JSON within a text counts by what it says. */
const listScalars = (value: unknown): (string | number)[] => {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') {
    const parsed = parseJson(value);
    return typeof parsed === 'object' && parsed !== null ? listScalars(parsed) : [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listScalars) : [];
};

/** One answer, plain text, top_k and top_p off, a cache mark of five minutes, a tool called by the model itself. */
const usualDefaults = [1, 'text', -1, '5m', 'direct'] as const;

/** Nothing is read and then forgotten: every text and number of a recorded request stands somewhere in the one written on the same wire. */
const keepsScalars = (codec: Codec<'generate'>, recorded: RecordedRequest, defaults: readonly (string | number)[] = usualDefaults): void => {
  const { model, request } = decode(codec, recorded);
  const written = new Set([...listScalars(encode(codec, request).body), ...defaults, '', model]);
  expectNone([...new Set(listScalars(recorded.body))].filter((scalar) => !written.has(scalar)).map((scalar) => JSON.stringify(scalar).slice(0, 100)), 'gone from the request');
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
/** A part is lost as a whole: `messages[0].content[1]`, or just `messages[0].content`, names all of `turns[0].parts[1]`. */
const namesPart = (field: string, path: string): boolean => {
  if (!/(?:content|parts|input)(?:\[\d+\])?$/.test(field)) return false;
  const place = path.match(/\d+/g) ?? [];
  const named = field.match(/\d+/g) ?? [];
  return place.length > 1 && named.length > 0 && named.every((number, index) => number === place[index]);
};
const isNamed = (path: string, losses: readonly Loss[]): boolean => {
  if (losses.some(({ field }) => namesPart(field, path))) return true;
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
  for (const { name, request, response } of recordings) {
    if (request === undefined) continue;
    checks.push({ name: `${codec.wire}: refuses junk in the request of ${name}`, run: () => refusesJunk(codec, request) });
    if (codec.upstream === undefined || (response !== undefined && response.status >= 400)) continue;
    checks.push({ name: `${codec.wire}: round trip of the request of ${name}`, run: () => roundTrip(codec, request, options) });
    checks.push({ name: `${codec.wire}: keeps every text of the request of ${name}`, run: () => keepsScalars(codec, request, options.defaults) });
    checks.push({ name: `${codec.wire}: keeps an unknown member in the request of ${name}`, run: () => keepsUnknown(codec, request) });
  }
  return checks;
};
