import { existsSync, readFileSync } from 'node:fs';
import { jsonArray } from '../../../../../core/framing/json-array.ts';
import { sse } from '../../../../../core/framing/sse.ts';
import {
  GatewayError,
  type GenerateRequest,
  type GenerateResponse,
  type JsonObject,
} from '../../../../../core/api/index.ts';
import {
  foldEvents,
  type Framing,
  type GenerateEvent,
  type Loss,
  type TargetProfile,
} from '../../../../../core/api/codec.ts';
import { generateContentCodec } from '../../../../../providers/google/generate-content/index.ts';
import { traitsOf } from '../../../traits-of.ts';

const { client, upstream } = generateContentCodec;
if (client === undefined || upstream?.decodeStream === undefined || upstream.native === undefined)
  throw new Error('the codec lacks a half');
const { decodeStream } = upstream;
export const native = upstream.native;
export const decodeError = upstream.decodeError;

export const origin = { provider: 'google', family: 'google' };
export const profile: TargetProfile = {
  provider: 'google',
  model: 'gemini-2.5-flash',
  wire: 'generate-content',
  origin,
  capabilities: {},
  traits: traitsOf('generate-content'),
};

/** The canonical request of a body of this wire. */
export const decodeBody = (body: unknown): GenerateRequest =>
  client.decodeRequest({
    raw: Buffer.from(JSON.stringify(body) ?? ''),
    body,
    headers: {},
    query: {},
    model: 'gemini-2.5-flash',
    stream: false,
  }).request;

/** A canonical request of another wire. */
export const foreign = (members: Partial<GenerateRequest> = {}): GenerateRequest => ({
  wire: 'chat-completions',
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  choices: 1,
  stream: false,
  includeUsage: false,
  extra: { wire: 'chat-completions', members: {} },
  ...members,
});

export interface Encoded {
  readonly body: JsonObject;
  readonly losses: readonly Loss[];
}
export const encode = (request: GenerateRequest): Encoded => {
  const losses: Loss[] = [];
  const { body } = upstream.encodeRequest(
    request,
    profile,
    (field, kind, detail) => void losses.push({ field, kind, detail }),
  );
  return { body: JSON.parse(JSON.stringify(body)) as JsonObject, losses };
};
/** The names and kinds of losses. */
export const namesOf = (losses: readonly Loss[]): readonly string[] =>
  losses.map(({ field, kind }) => `${kind} ${field}`);

const contextFor = (losses: Loss[] = []) => ({
  origin,
  turn: 3,
  lose: (field: string, kind: Loss['kind'], detail: string) => void losses.push({ field, kind, detail }),
});
export const readResponse = (body: unknown): GenerateResponse => upstream.decodeResponse(body, contextFor());
export const readLosses = (body: unknown): readonly Loss[] => {
  const losses: Loss[] = [];
  upstream.decodeResponse(body, contextFor(losses));
  return losses;
};

/** The events of an upstream's bytes, split at `cuts`. */
export const readBytes = (
  bytes: Uint8Array,
  {
    cuts = [],
    framing = sse,
    losses = [],
  }: { readonly cuts?: readonly number[]; readonly framing?: Framing; readonly losses?: Loss[] } = {},
): readonly GenerateEvent[] => {
  const events: GenerateEvent[] = [];
  const decoder = decodeStream(contextFor(losses));
  const emit = (event: GenerateEvent) => void events.push(event);
  const frames = framing.decoder({ frameBytes: 10_000_000 });
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  places
    .slice(1)
    .forEach((end, index) => frames.push(bytes.subarray(places[index], end), (frame) => decoder.push(frame, emit)));
  frames.end((frame) => decoder.push(frame, emit));
  decoder.end(emit);
  return events;
};
/** The vendor's own line ends. */
export const sseOf = (...chunks: readonly unknown[]): string =>
  chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\r\n\r\n`).join('');
export const arrayOf = (...chunks: readonly unknown[]): string =>
  `[${chunks.map((chunk) => JSON.stringify(chunk)).join('\n,\r\n')}\n]\n`;
export const readArray = (text: string, cuts: readonly number[] = []): readonly GenerateEvent[] =>
  readBytes(Buffer.from(text), { cuts, framing: jsonArray });
export const readChunks = (...chunks: readonly unknown[]): readonly GenerateEvent[] =>
  readBytes(Buffer.from(sseOf(...chunks)));
export const foldChunks = (...chunks: readonly unknown[]): GenerateResponse => foldEvents(readChunks(...chunks));

/** One chunk with one candidate. */
export const chunk = (parts: readonly unknown[], candidate: JsonObject = {}, members: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...candidate }],
  modelVersion: 'gemini-2.5-flash',
  responseId: 'r1',
  ...members,
});
export const stop = { finishReason: 'STOP' } as const;

/** The gateway error that a function throws. */
export const refusal = (run: () => unknown): GatewayError => {
  try {
    run();
  } catch (thrown) {
    if (GatewayError.is(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('nothing was refused');
};

/** A recorded interaction of the shared corpus. */
export interface Recording {
  readonly id: string;
  readonly request: { readonly path?: string; readonly body: unknown };
  readonly response: { readonly status: number; readonly body?: unknown; readonly sse?: string };
}
const corpus = new URL('../../../../../../shared/corpus/', import.meta.url);
/** `undefined` if the corpus is missing: the test is skipped then. */
export const readCorpus = (name: string): readonly Recording[] | undefined => {
  const file = new URL(`${name}.jsonl`, corpus);
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Recording)
    : undefined;
};
