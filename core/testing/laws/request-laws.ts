import { GatewayError, type GenerateRequest, type Turn } from '../../api/index.ts';
import type { Codec, Loss } from '../../api/codec.ts';
import { parseJson } from '../../framing/json.ts';
import { collectLaws, expectNone, expectSame, type Check } from '../check.ts';
import { decodeRequest } from '../decode-request.ts';
import { recordedRequestLaws, writeRequest } from './kept-members.ts';
import { recordReads } from '../record-reads.ts';
import type { RecordedRequest, Recording } from '../recording.ts';
import { sampleRequests } from '../samples.ts';

export interface RequestLawOptions {
  /** The wire has no conversations: it can refuse a request, with the member that it cannot hold. */
  readonly refuses?: boolean;
  /** Canonical members that the upstream encoder need not read, as patterns of paths (`turns[0].parts[1].name`). */
  readonly unreadable?: readonly RegExp[];
  /** Strings and numbers that an encoder can omit, because they are the default. */
  readonly defaults?: readonly (string | number)[];
  /**
   * Converts a recorded body to the form that the codec writes. Without it, round trips are compared in canonical form
   * only.
   */
  readonly normalise?: (body: unknown) => unknown;
}

/** Members without meaning for a vendor, or decided elsewhere: by the lane, the fits, or the sealing of proofs. */
const unreadable: readonly RegExp[] = [
  /^wire$/,
  /^includeUsage$/,
  /^choices$/,
  /\.origin\./,
  /^stream$/,
  /(?:^|\.)extra\.wire$/,
  /\.(?:failed|wire|mediaType|kind)$/,
];

/** Consecutive turns of one role mean the same as one turn with the parts of both; encoders can join them. */
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

/** Without members that an upstream encoder decides for itself. */
const comparable = ({ includeUsage: _usage, turns, ...request }: GenerateRequest): unknown =>
  JSON.parse(JSON.stringify({ ...request, turns: joinTurns(turns) })) as unknown;

/**
 * Every recorded request survives a round trip: encoded upstream and decoded again it means the same, and on its own
 * wire nothing is dropped.
 */
const roundTrip = (codec: Codec<'generate'>, recorded: RecordedRequest, { normalise }: RequestLawOptions): void => {
  const { request } = decodeRequest(codec, recorded);
  const { body, losses } = writeRequest(codec, request);
  expectNone(
    losses.filter(({ kind }) => kind === 'dropped').map(({ field, detail }) => `${field}: ${detail}`),
    'dropped on its own wire',
  );
  if (normalise !== undefined)
    expectSame(normalise(body), normalise(recorded.body), 'the body changed when it was read and written again');
  expectSame(
    comparable(decodeRequest(codec, recorded, body).request),
    comparable(request),
    'the request changed when it was written and read again',
  );
};

/** One choice, plain text, top_k and top_p off, a five-minute cache mark, a tool called by the model. */
const usualDefaults = [1, 'text', -1, '5m', 'direct'] as const;

/** The snake-case form of a canonical name, which losses can use. */
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/**
 * A part is lost as a whole: `messages[0].content[1]`, or just `messages[0].content`, stands for all of
 * `turns[0].parts[1]`.
 */
const namesPart = (field: string, path: string): boolean => {
  if (!/(?:content|parts|input)(?:\[\d+\])?$/.test(field)) return false;
  const place = path.match(/\d+/g) ?? [];
  const named = field.match(/\d+/g) ?? [];
  return place.length > 1 && named.length > 0 && named.every((number, index) => number === place[index]);
};

/** The texts and numbers of a value, with their paths. */
const listScalars = (value: unknown, path = ''): (readonly [path: string, value: string | number])[] => {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  if (typeof parsed === 'object' && parsed !== null) return listScalars(parsed, path);
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    listScalars(child, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
  );
};
const isNamed = (path: string, losses: readonly Loss[]): boolean => {
  if (losses.some(({ field }) => namesPart(field, path))) return true;
  const words = new Set(path.split(/[.[\]]+/).flatMap((word) => [word, snake(word)]));
  return losses.some(({ field }) =>
    field
      .split(/[.[\]]+/)
      .some(
        (word) =>
          word !== '' && !/^\d+$/.test(word) && (words.has(word) || words.has(word.replace(/^(?:prompt|top)_/, ''))),
      ),
  );
};

/** Every member is either read by the encoder or reported as lost. */
const readsAll = (codec: Codec<'generate'>, request: GenerateRequest, options: RequestLawOptions): void => {
  const record = recordReads(request);
  const { losses } = writeRequest(codec, record.value);
  const exempt = [...unreadable, ...(options.unreadable ?? [])];
  expectNone(
    record.unread().filter((path) => !exempt.some((pattern) => pattern.test(path)) && !isNamed(path, losses)),
    'neither read nor reported as lost',
  );
};

/** Members whose values each wire spells in its own way, and the name of a schema, which many do not have. */
const SPELLED =
  /(?:^|\.)(?:role|type|kind|mode|mediaType|wire|ttl|effort|verbosity|serviceTier|origin|choices|proof)\b|\.id$/;
const isSpelled = (path: string): boolean => path === 'output.name' || SPELLED.test(path);

/** Every text and number is in the body, or reported as lost. A member that is read can still be thrown away. */
const writesAll = (codec: Codec<'generate'>, request: GenerateRequest): void => {
  const { body, losses } = writeRequest(codec, request);
  const written = JSON.stringify(body);
  const isWritten = (value: unknown): boolean => written.includes(JSON.stringify(value).replace(/^"|"$/g, ''));
  const missing = listScalars(request).filter(
    ([path, value]) => !isSpelled(path) && !isNamed(path, losses) && !isWritten(value),
  );
  expectNone(
    missing.map(([path, value]) => `${path}: ${JSON.stringify(value)}`),
    'neither written nor reported as lost',
  );
};

/** The result of a call has the id of its call, if the wire has ids. */
const keepsCallIds = (codec: Codec<'generate'>, request: GenerateRequest): void => {
  const written = JSON.stringify(writeRequest(codec, request).body);
  const ids = request.turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [part.id] : [])),
  );
  expectNone(
    ids.filter((id) => written.split(JSON.stringify(id)).length === 2),
    'ids that only a call or only a result has',
  );
};

/** A refusal that names the member is as good as a body, where the wire may refuse. */
const orRefuse =
  ({ refuses = false }: RequestLawOptions, run: () => void): Check['run'] =>
  () => {
    try {
      run();
    } catch (thrown) {
      const isRefusal = GatewayError.is(thrown) && thrown.code === 'unsupported_parameter';
      if (!refuses || !isRefusal || thrown.param === undefined) throw thrown;
    }
  };

export function requestLaws(
  codec: Codec<'generate'>,
  recordings: readonly Recording[],
  options: RequestLawOptions = {},
): Check[] {
  const { checks, law } = collectLaws(codec.wire);
  if (codec.upstream !== undefined)
    for (const [name, request] of sampleRequests(codec.wire)) {
      law(
        `reads or names every field of a request with ${name}`,
        orRefuse(options, () => readsAll(codec, request, options)),
      );
      law(
        `writes or names every value of a request with ${name}`,
        orRefuse(options, () => {
          writesAll(codec, request);
          keepsCallIds(codec, request);
        }),
      );
    }
  const recorded = recordings.flatMap((recording) =>
    recordedRequestLaws(codec, recording, options.defaults ?? usualDefaults, (request) =>
      roundTrip(codec, request, options),
    ),
  );
  return [...checks, ...recorded];
}
