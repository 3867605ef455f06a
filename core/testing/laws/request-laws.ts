import type { Codec, GenerateRequest, Loss, Turn } from '../../index.ts';
import { expectNone, expectSame, type Check } from '../check.ts';
import { createProfile } from '../contexts.ts';
import { decodeRequest, refusesJunk } from '../decode-request.ts';
import { keepsScalars, keepsUnknown, writeRequest } from './kept-members.ts';
import { recordReads } from '../record-reads.ts';
import type { RecordedRequest, Recording } from '../recording.ts';
import { sampleRequests } from '../samples.ts';

export interface RequestLawOptions {
  /** Canonical fields that the wire's upstream writer need not read, as patterns of paths (`turns[0].parts[1].name`). */
  readonly unreadable?: readonly RegExp[];
  /** Texts and numbers that a writer may leave out, because to leave them out says the same. */
  readonly defaults?: readonly (string | number)[];
  /** A recorded body in the form in which the codec writes it. Without it, round trips are compared in the canonical form only. */
  readonly normalise?: (body: unknown) => unknown;
}

/** What says nothing to a vendor, or is decided elsewhere: by the lane, by the fits, by the sealing of proofs. */
const unreadable: readonly RegExp[] = [
  /^wire$/,
  /^includeUsage$/,
  /^choices$/,
  /\.origin\./,
  /^stream$/,
  /(?:^|\.)extra\.wire$/,
  /\.(?:failed|wire|mediaType|kind)$/,
];

/** Neighbours of one role mean what one turn with the parts of both means; writers may join them. */
const joinTurns = (turns: readonly Turn[]): Turn[] => {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last === undefined || last.role !== turn.role || last.extra !== undefined || turn.extra !== undefined)
      joined.push(turn);
    else joined.splice(-1, 1, { ...last, parts: [...last.parts, ...turn.parts] });
  }
  return joined;
};

/** Without what an upstream writer decides for itself. */
const comparable = ({ includeUsage: _usage, turns, ...request }: GenerateRequest): unknown =>
  JSON.parse(JSON.stringify({ ...request, turns: joinTurns(turns) })) as unknown;

/** Every recorded request comes back as it was: written upstream and read again it means the same, and on its own wire nothing is dropped. */
const roundTrip = (codec: Codec<'generate'>, recorded: RecordedRequest, { normalise }: RequestLawOptions): void => {
  const { request } = decodeRequest(codec, recorded);
  const { body, losses } = writeRequest(codec, request);
  expectNone(
    losses.filter(({ kind }) => kind === 'dropped').map(({ field, detail }) => `${field}: ${detail}`),
    'dropped on its own wire',
  );
  if (normalise !== undefined)
    expectSame(normalise(body), normalise(recorded.body), 'the body written is not the body read');
  expectSame(
    comparable(decodeRequest(codec, recorded, body).request),
    comparable(request),
    'the request written does not read as the request it was written from',
  );
};

/** One answer, plain text, top_k and top_p off, a cache mark of five minutes, a tool called by the model itself. */
const usualDefaults = [1, 'text', -1, '5m', 'direct'] as const;

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
  return losses.some(({ field }) =>
    field.split(/[.[\]]+/).some((word) => word !== '' && !/^\d+$/.test(word) && words.has(word)),
  );
};

/** A field that the writer neither reads nor names as lost has been forgotten. */
const readsAll = (codec: Codec<'generate'>, request: GenerateRequest, options: RequestLawOptions): void => {
  const record = recordReads(request);
  const { losses } = writeRequest(codec, record.value);
  const exempt = [...unreadable, ...(options.unreadable ?? [])];
  expectNone(
    record.unread().filter((path) => !exempt.some((pattern) => pattern.test(path)) && !isNamed(path, losses)),
    'neither read nor named as lost',
  );
};

export function requestLaws(
  codec: Codec<'generate'>,
  recordings: readonly Recording[],
  options: RequestLawOptions = {},
): Check[] {
  const checks: Check[] = [];
  if (codec.upstream !== undefined) {
    for (const [name, request] of sampleRequests(codec.wire)) {
      checks.push({
        name: `${codec.wire}: reads or names every field of a request with ${name}`,
        run: () => readsAll(codec, request, options),
      });
    }
  }
  if (codec.client === undefined) return checks;
  for (const { name, request, response } of recordings) {
    if (request === undefined) continue;
    checks.push({
      name: `${codec.wire}: refuses junk in the request of ${name}`,
      run: () =>
        refusesJunk(
          codec,
          request,
          (decoded) => void codec.upstream?.encodeRequest(decoded, createProfile(codec.wire), () => undefined),
        ),
    });
    if (codec.upstream === undefined || (response !== undefined && response.status >= 400)) continue;
    checks.push({
      name: `${codec.wire}: round trip of the request of ${name}`,
      run: () => roundTrip(codec, request, options),
    });
    checks.push({
      name: `${codec.wire}: keeps every text of the request of ${name}`,
      run: () => keepsScalars(codec, request, options.defaults ?? usualDefaults),
    });
    checks.push({
      name: `${codec.wire}: keeps an unknown member in the request of ${name}`,
      run: () => keepsUnknown(codec, request),
    });
  }
  return checks;
}
