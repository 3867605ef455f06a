import { readFileSync } from 'node:fs';
import OpenAI from 'openai';
import {
  GatewayError,
  type GenerateRequest,
  type GenerateResponse,
  type JsonObject,
  type Part,
} from '../../../../../core/api/index.ts';
import { unfoldResponse, type GenerateEvent, type Loss, type WriteContext } from '../../../../../core/api/codec.ts';
import { responsesCodec } from '../../../../../providers/openai/responses/index.ts';

const facing = responsesCodec.client;
if (facing?.encodeStream === undefined || facing.encodeLimits === undefined)
  throw new Error('the client half lacks something');
const { encodeStream } = facing;
export const client = facing;
export const encodeLimits = facing.encodeLimits;

export const decodeBody = (body: unknown) =>
  client.decodeRequest({ raw: Buffer.from(JSON.stringify(body) ?? ''), body, headers: {}, query: {} });

/** The canonical request of a body; `model` and `input` are filled in. */
export const decode = (members: JsonObject = {}): GenerateRequest =>
  decodeBody({ model: 'openai/gpt-4.1', input: 'hi', ...members }).request;
export const decodeItems = (...input: readonly unknown[]): GenerateRequest => decode({ input });

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

export const collectLosses = () => {
  const losses: Loss[] = [];
  return {
    losses,
    lose: (field: string, kind: Loss['kind'], detail: string) => void losses.push({ field, kind, detail }),
  };
};

/** Ids count by prefix, as they do in the golden stream: rs_1, msg_1, fc_1, fc_2. */
export const writeContext = (
  request: GenerateRequest = decode(),
  lose: WriteContext['lose'] = () => {},
): WriteContext => {
  const counts = new Map<string, number>();
  const newId = (prefix: string): string => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}${count}`;
  };
  return { request, created: 1_763, now: () => 1_764, newId, lose, inputEstimate: 7 };
};

/** A plain response as a client reads it. */
export const respond = (
  response: GenerateResponse,
  request = decode(),
): { readonly body: JsonObject; readonly losses: readonly Loss[] } => {
  const { losses, lose } = collectLosses();
  return {
    body: JSON.parse(JSON.stringify(client.encodeResponse(response, writeContext(request, lose)))) as JsonObject,
    losses,
  };
};
export const answerOf = (
  parts: readonly Part[],
  members: Partial<GenerateResponse['choices'][0]> = {},
): GenerateResponse => ({
  id: 'resp_1',
  model: 'p/m',
  choices: [{ parts, finish: { reason: 'stop' }, ...members }],
});
export type WrittenItem = JsonObject & { readonly type: string; readonly id: string };
export const itemsOf = (body: JsonObject): readonly WrittenItem[] => body['output'] as readonly WrittenItem[];

export interface WrittenFrame {
  readonly event: string;
  readonly data: JsonObject & { readonly type: string; readonly sequence_number: number };
}
/** The frames that a client gets for these events. */
export const writeFrames = (
  events: readonly GenerateEvent[],
  request = decode({ stream: true }),
  lose: WriteContext['lose'] = () => {},
): readonly WrittenFrame[] => {
  const frames: WrittenFrame[] = [];
  const encoder = encodeStream(writeContext(request, lose));
  for (const event of events)
    encoder.push(
      event,
      (name, data) => void frames.push({ event: name ?? '', data: JSON.parse(data) as WrittenFrame['data'] }),
    );
  return frames;
};
export const sseOf = (frames: readonly WrittenFrame[]): string =>
  frames.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
export const writeSse = (events: readonly GenerateEvent[], request?: GenerateRequest): string =>
  sseOf(writeFrames(events, request));

export const eventsOf = (response: GenerateResponse): readonly GenerateEvent[] => {
  const events: GenerateEvent[] = [];
  unfoldResponse(response, (event) => void events.push(event));
  return events;
};

/** The official SDK, with this text as the response. */
export const sdkOn = (text: string, status = 200, headers: Readonly<Record<string, string>> = {}): OpenAI =>
  new OpenAI({
    apiKey: 'k',
    baseURL: 'http://127.0.0.1:1/v1',
    maxRetries: 0,
    fetch: () =>
      Promise.resolve(
        new Response(text, {
          status,
          headers: {
            'content-type': text.startsWith('{') ? 'application/json' : 'text/event-stream; charset=utf-8',
            ...headers,
          },
        }),
      ),
  });
/** The result of `responses.stream()` for a stream. */
export const receive = (sse: string) => sdkOn(sse).responses.stream({ model: 'm', input: 'hi' }).finalResponse();

export const goldenSse = (): string =>
  readFileSync(new URL('../../../../fixtures/golden/responses.sse', import.meta.url), 'utf8');

export const usage = {
  inputUncached: 12,
  cacheRead: 4_000,
  cacheWrite5m: 500,
  cacheWrite1h: 0,
  output: 90,
  reasoning: 60,
  source: 'provider',
} as const;
/** The golden conversation: reasoning with a proof, text, a call in two fragments, a call without arguments. */
export const goldenEvents: readonly GenerateEvent[] = [
  { type: 'response-start', id: 'resp_1', model: 'p/m' },
  { type: 'part-start', choice: 0, part: 0, kind: 'reasoning' },
  { type: 'part-delta', choice: 0, part: 0, text: 'Let me check.' },
  { type: 'part-end', choice: 0, part: 0, proof: { origin: undefined, value: 'SIG' } },
  { type: 'part-start', choice: 0, part: 1, kind: 'text' },
  { type: 'part-delta', choice: 0, part: 1, text: 'Checking.' },
  { type: 'part-end', choice: 0, part: 1 },
  {
    type: 'part-start',
    choice: 0,
    part: 2,
    kind: 'tool-call',
    call: { id: 'call_1', name: 'get_weather', kind: 'function' },
  },
  { type: 'part-delta', choice: 0, part: 2, text: '{"city":' },
  { type: 'part-delta', choice: 0, part: 2, text: '"Paris"}' },
  { type: 'part-end', choice: 0, part: 2 },
  {
    type: 'part-start',
    choice: 0,
    part: 3,
    kind: 'tool-call',
    call: { id: 'call_2', name: 'get_time', kind: 'function' },
  },
  { type: 'part-end', choice: 0, part: 3 },
  { type: 'choice-end', choice: 0, finish: { reason: 'tool_calls' } },
  { type: 'usage', usage },
  { type: 'response-end' },
];

/** Events of one text part. */
export const textEvents = (part: number, ...pieces: readonly string[]): readonly GenerateEvent[] => [
  { type: 'part-start', choice: 0, part, kind: 'text' },
  ...pieces.map((text): GenerateEvent => ({ type: 'part-delta', choice: 0, part, text })),
  { type: 'part-end', choice: 0, part },
];
