import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyErrorCode, FailureClass, Finish, Headers, JsonObject, Usage, WireName } from '../api/index.ts';
import { isObject } from '../api/codec.ts';

/** A recorded exchange with a vendor, or one written by hand: the fixture of the laws. */
export interface Recording {
  readonly name: string;
  /**
   * Its source: `recorded 2026-01-10 from …`, or `written by hand after <address>`. Without it a fixture proves
   * nothing.
   */
  readonly origin: string;
  readonly wire: WireName;
  /** Recordings with the same case have the same answer, plain or streamed. */
  readonly case?: string;
  readonly request?: RecordedRequest;
  readonly response?: RecordedResponse;
  /**
   * What the response says, as a person has read it. A file with a response needs one: `koine record` writes it.
   * `unread`, in code alone: traffic that no person has read, to which only the other laws apply.
   */
  readonly expected?: Expectation | 'unread';
}
export interface RecordedRequest {
  readonly headers?: Headers;
  readonly query?: Headers;
  readonly body: unknown;
  /** For wires that have them in the path. */
  readonly model?: string;
  readonly stream?: boolean;
}
export interface RecordedResponse {
  readonly status: number;
  readonly headers?: Headers;
  /** The parsed body of a plain response. */
  readonly body?: unknown;
  /** The text of a streamed response, as received. */
  readonly text?: string;
  /** A response that is a file, in base64: speech. */
  readonly file?: string;
}

/** What an error says: its class decides what failover does, its code what the client gets. */
export interface ExpectedError {
  readonly code: AnyErrorCode;
  readonly failure: FailureClass;
  readonly message: string;
  readonly retryAfterMs?: number;
}

/** Counts that are not 0, and what the vendor says of the call: its tier, units, further calls. */
export type ExpectedUsage = Partial<Omit<Usage, 'raw' | 'source' | 'further'>> & {
  readonly further?: readonly ExpectedUsage[];
};

/** One answer. `finish` is absent if the stream breaks before it. */
export interface ExpectedChoice {
  /**
   * Parts in the canonical form, in their order: `{ type: 'text', text }`, `{ type: 'reasoning', text, proof }`,
   * `{ type: 'tool-call', id, name, input }`. A proof is its text, JSON arguments of a call are a value, and what the
   * vendor alone can read of a citation or a call is left out.
   */
  readonly parts: readonly Readonly<JsonObject>[];
  /** In the canonical form, without the vendor's own word. */
  readonly finish?: Omit<Finish, 'vendor'>;
}

/**
 * What a recorded response says, in the canonical form and without ids of the response. A person has read it in the
 * response; the laws compare what a codec decodes with it. A member that is absent says that there is none.
 */
export interface Expectation {
  /** As the response names it. */
  readonly model?: string;
  readonly choices?: readonly ExpectedChoice[];
  /** Of a transcription: what was said. */
  readonly text?: string;
  /** Of embeddings: the first numbers of each vector. */
  readonly vectors?: readonly (readonly number[])[];
  /** Of embeddings: the length of the vectors. */
  readonly dimensions?: number;
  /**
   * Of a moderation: the categories that apply to each content. Of documents: their numbers and scores. Of images and
   * audio: the media type and the start of the bytes.
   */
  readonly results?: readonly Readonly<JsonObject>[];
  /** Of a count of tokens. */
  readonly inputTokens?: number;
  /** Of a count of tokens. */
  readonly cachedTokens?: number;
  readonly usage?: ExpectedUsage;
  /** The response is an error, or its stream ends in one. */
  readonly error?: ExpectedError;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const readRecording = (file: string, value: unknown): Recording => {
  const refuse = (why: string): Error => new Error(`${file}: ${why}`);
  if (!isObject(value)) throw refuse('a recording must be a JSON object.');
  const { origin, wire, request, response, expected } = value as JsonObject;
  if (!isText(origin)) throw refuse("'origin' is missing: say where the recording comes from.");
  if (!isText(wire)) throw refuse("'wire' is missing.");
  if (request === undefined && response === undefined) throw refuse("neither 'request' nor 'response' is there.");
  if (request !== undefined && !(isObject(request) && 'body' in request)) throw refuse("'request' has no 'body'.");
  if (response !== undefined && !(isObject(response) && typeof response['status'] === 'number'))
    throw refuse("'response' has no 'status'.");
  if (isObject(response) && ['body', 'text', 'file'].filter((member) => member in response).length !== 1)
    throw refuse("'response' needs one of 'body', 'text' and 'file'.");
  if (expected !== undefined && !isObject(expected)) throw refuse("'expected' must be an object.");
  return { name: file, ...(value as Omit<Recording, 'name'>) };
};

/**
 * Loads all recordings (`*.json`) of a folder, in the order of their names.
 * @throws Error with the file name, for a recording without `origin` or with invalid members
 */
export const loadRecordings = (folder: string): Recording[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => readRecording(file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown));
