import { existsSync, readFileSync } from 'node:fs';
import { sse } from '../../../../../core/framing/sse.ts';
import type { GenerateRequest, GenerateResponse, JsonObject } from '../../../../../core/api/index.ts';
import { foldEvents, type GenerateEvent, type Loss, type TargetProfile } from '../../../../../core/api/codec.ts';
import { decodeRequest } from '../../../../../providers/openai/responses/client/request/request.ts';
import { encodeRequest } from '../../../../../providers/openai/responses/upstream/request/request.ts';
import { decodeResponse } from '../../../../../providers/openai/responses/upstream/response/response.ts';
import { decodeStream } from '../../../../../providers/openai/responses/upstream/response/stream.ts';
import { traitsOf } from '../../../traits-of.ts';

export const origin = { provider: 'acme', family: 'acme' };
export const profile: TargetProfile = {
  provider: 'acme',
  model: 'm-1',
  wire: 'responses',
  origin,
  capabilities: {},
  traits: traitsOf('responses'),
};

export const inboundOf = (body: unknown) => ({
  raw: Buffer.from(JSON.stringify(body) ?? ''),
  body,
  headers: {},
  query: {},
});
/** The canonical request of a body of this wire; `input` and `model` are filled in. */
export const decode = (members: JsonObject = {}): GenerateRequest =>
  decodeRequest(inboundOf({ model: 'openai/gpt-5', input: 'hi', ...members })).request;

/** A canonical request of another wire. */
export const foreign = (members: Partial<GenerateRequest> = {}): GenerateRequest => ({
  wire: 'messages',
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  choices: 1,
  stream: false,
  includeUsage: false,
  extra: { wire: 'messages', members: {} },
  ...members,
});

const losing = () => {
  const losses: Loss[] = [];
  return {
    losses,
    lose: (field: string, kind: Loss['kind'], detail: string) => void losses.push({ field, kind, detail }),
  };
};

export const encode = (request: GenerateRequest): { readonly body: JsonObject; readonly losses: readonly Loss[] } => {
  const { losses, lose } = losing();
  const { body } = encodeRequest(request, profile, lose);
  return { body: JSON.parse(JSON.stringify(body)) as JsonObject, losses };
};
export const inputOf = (request: GenerateRequest): readonly JsonObject[] =>
  encode(request).body['input'] as readonly JsonObject[];
export const fieldsOf = (losses: readonly Loss[]): readonly string[] =>
  losses.map(({ field, kind }) => `${field} ${kind}`);

export const readResponse = (body: unknown): GenerateResponse =>
  decodeResponse(body, { origin, turn: 3, lose: () => {} });
export const readWithLosses = (body: unknown) => {
  const { losses, lose } = losing();
  return { response: decodeResponse(body, { origin, turn: 3, lose }), losses };
};

/** The events of an upstream's bytes, split at `cuts`. */
export const readBytes = (bytes: Uint8Array, cuts: readonly number[] = []): readonly GenerateEvent[] => {
  const events: GenerateEvent[] = [];
  const decoder = decodeStream({ origin, turn: 3, lose: () => {} });
  const emit = (event: GenerateEvent) => void events.push(event);
  const frames = sse.decoder({ frameBytes: 10_000_000 });
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  places
    .slice(1)
    .forEach((end, index) => frames.push(bytes.subarray(places[index], end), (frame) => decoder.push(frame, emit)));
  frames.end((frame) => decoder.push(frame, emit));
  decoder.end(emit);
  return events;
};
export const readSse = (text: string): readonly GenerateEvent[] => readBytes(Buffer.from(text));

/** Events by their type, as the vendor sends them. `named: false` leaves out the `event:` lines. */
export const sseOf = (events: readonly JsonObject[], named = true): string =>
  events
    .map((event) => `${named ? `event: ${String(event['type'])}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    .join('');
export const readEvents = (...events: readonly JsonObject[]): readonly GenerateEvent[] => readSse(sseOf(events));
export const foldOf = (...events: readonly JsonObject[]): GenerateResponse => foldEvents(readEvents(...events));

/** The type of an event without `response.`. */
export const event = (type: string, members: JsonObject = {}): JsonObject => ({ type: `response.${type}`, ...members });
export const created = event('created', { response: { id: 'resp_1', model: 'm', status: 'in_progress', output: [] } });
export const completed = (output: readonly JsonObject[] = [], members: JsonObject = {}): JsonObject =>
  event('completed', { response: { id: 'resp_1', model: 'm', status: 'completed', output, ...members } });

/** A recorded interaction of the shared corpus. */
export interface Recording {
  readonly id: string;
  readonly provider: string;
  readonly request: { readonly body: unknown };
  readonly response: { readonly status: number; readonly body?: unknown; readonly sse?: string };
}
const corpus = new URL('../../../../../../shared/corpus/', import.meta.url);
/** `undefined` without the corpus: the test is then skipped. */
export const readCorpus = (name: string): readonly Recording[] | undefined => {
  const file = new URL(`${name}.jsonl`, corpus);
  if (!existsSync(file)) return undefined;
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recording);
};
