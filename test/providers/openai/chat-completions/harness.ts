import { existsSync, readFileSync } from 'node:fs';
import { sse } from '../../../../core/framing/sse.ts';
import {
  GatewayError,
  type GenerateRequest,
  type GenerateResponse,
  type JsonObject,
} from '../../../../core/api/index.ts';
import {
  foldEvents,
  type GenerateEvent,
  type ReadContext,
  type Loss,
  type TargetProfile,
  type WriteContext,
} from '../../../../core/api/codec.ts';
import { chatCompletionsCodec } from '../../../../providers/openai/chat-completions/index.ts';
import { traitsOf } from '../../traits-of.ts';

const { client: facing, upstream: calling } = chatCompletionsCodec;
if (
  facing?.encodeStream === undefined ||
  facing.encodeLimits === undefined ||
  calling?.decodeStream === undefined ||
  calling.native === undefined
) {
  throw new Error('the codec lacks a half');
}
const { encodeStream } = facing;
const { decodeStream } = calling;
export const client = facing;
export const upstream = calling;
export const encodeLimits = facing.encodeLimits;
export const native = calling.native;

export const origin = { provider: 'acme', family: 'acme' };
export const profile: TargetProfile = {
  provider: 'acme',
  model: 'm-1',
  wire: 'chat-completions',
  origin,
  capabilities: {},
  traits: traitsOf('chat-completions'),
};

const inboundOf = (body: unknown) => ({ raw: Buffer.from(JSON.stringify(body) ?? ''), body, headers: {}, query: {} });

/** The canonical request of a body; `messages` and `model` are filled in. */
export const decode = (members: JsonObject = {}): GenerateRequest =>
  client.decodeRequest(inboundOf({ model: 'openai/gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...members }))
    .request;
export const decodeBody = (body: unknown) => client.decodeRequest(inboundOf(body));
export const decodeMessages = (...messages: readonly JsonObject[]): GenerateRequest => decode({ messages });

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

export const encode = (request: GenerateRequest): { readonly body: JsonObject; readonly losses: readonly Loss[] } => {
  const losses: Loss[] = [];
  const { body } = upstream.encodeRequest(request, profile, (field, kind, detail) =>
    losses.push({ field, kind, detail }),
  );
  return { body: JSON.parse(JSON.stringify(body)) as JsonObject, losses };
};

/** The gateway error that the function throws. */
export const catchError = (run: () => unknown): GatewayError => {
  try {
    run();
  } catch (thrown) {
    if (GatewayError.is(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('nothing was refused');
};

const losing = () => {
  const losses: Loss[] = [];
  return {
    losses,
    lose: (field: string, kind: Loss['kind'], detail: string) => void losses.push({ field, kind, detail }),
  };
};

export const writeContext = (request: GenerateRequest, lose = losing().lose): WriteContext => {
  let ids = 0;
  return {
    request,
    created: 1_763,
    now: () => 1_764,
    newId: (prefix) => `${prefix}${(ids += 1)}`,
    lose,
    inputEstimate: 7,
  };
};

export const respond = (
  response: GenerateResponse,
  request = decode(),
): { readonly body: JsonObject; readonly losses: readonly Loss[] } => {
  const { losses, lose } = losing();
  return {
    body: JSON.parse(JSON.stringify(client.encodeResponse(response, writeContext(request, lose)))) as JsonObject,
    losses,
  };
};

/** The data lines that a client gets for these events. */
export const writeFrames = (
  events: readonly GenerateEvent[],
  request = decode({ stream: true }),
): readonly string[] => {
  const frames: string[] = [];
  const encoder = encodeStream(writeContext(request));
  for (const event of events) {
    encoder.push(event, (name, data) => {
      if (name !== undefined) throw new Error('chat frames carry no event name');
      frames.push(data);
    });
  }
  return frames;
};
export const writeSse = (events: readonly GenerateEvent[], request = decode({ stream: true })): string =>
  writeFrames(events, request)
    .map((data) => `data: ${data}\n\n`)
    .join('');

export const readContext = { origin, turn: 3, lose: () => {} };
export const readResponse = (body: unknown): GenerateResponse => upstream.decodeResponse(body, readContext);

/** The events of an upstream's bytes, split at `cuts`. */
export const readBytes = (
  bytes: Uint8Array,
  cuts: readonly number[] = [],
  members: Partial<ReadContext> = {},
): readonly GenerateEvent[] => {
  const events: GenerateEvent[] = [];
  const decoder = decodeStream({ ...readContext, ...members });
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
export const readSse = (text: string, members: Partial<ReadContext> = {}): readonly GenerateEvent[] =>
  readBytes(Buffer.from(text), [], members);

/** A stream of chunks; strings are sent as they are. */
export const sseOf = (...chunks: readonly (JsonObject | string)[]): string =>
  chunks
    .map(
      (chunk) =>
        `data: ${typeof chunk === 'string' ? chunk : JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', model: 'm', ...chunk })}\n\n`,
    )
    .join('');
/** One chunk with one choice. */
export const chunk = (delta: JsonObject, finish: string | null = null, index = 0): JsonObject => ({
  choices: [{ index, delta, finish_reason: finish }],
});
export const readChunks = (...chunks: readonly (JsonObject | string)[]): readonly GenerateEvent[] =>
  readSse(sseOf(...chunks));
export const foldChunks = (...chunks: readonly (JsonObject | string)[]): GenerateResponse =>
  foldEvents(readChunks(...chunks));

/** A recorded interaction of the shared corpus. */
export interface Recording {
  readonly id: string;
  readonly provider: string;
  readonly request: { readonly body: unknown };
  readonly response: { readonly status: number; readonly body?: unknown; readonly sse?: string };
}
const corpus = new URL('../../../../../shared/corpus/', import.meta.url);
/** `undefined` without the corpus: the test is then skipped. */
export const readCorpus = (name: string): readonly Recording[] | undefined => {
  const file = new URL(`${name}.jsonl`, corpus);
  if (!existsSync(file)) return undefined;
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recording);
};
