import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Headers, JsonObject, WireName } from '../api/index.ts';
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
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const readRecording = (file: string, value: unknown): Recording => {
  const refuse = (why: string): Error => new Error(`${file}: ${why}`);
  if (!isObject(value)) throw refuse('a recording must be a JSON object.');
  const { origin, wire, request, response } = value as JsonObject;
  if (!isText(origin)) throw refuse("'origin' is missing: say where the recording comes from.");
  if (!isText(wire)) throw refuse("'wire' is missing.");
  if (request === undefined && response === undefined) throw refuse("neither 'request' nor 'response' is there.");
  if (request !== undefined && !(isObject(request) && 'body' in request)) throw refuse("'request' has no 'body'.");
  if (response !== undefined && !(isObject(response) && typeof response['status'] === 'number'))
    throw refuse("'response' has no 'status'.");
  if (isObject(response) && 'body' in response === 'text' in response)
    throw refuse("'response' needs either 'body' or 'text'.");
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
