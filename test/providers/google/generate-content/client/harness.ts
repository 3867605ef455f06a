import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GoogleGenAI } from '@google/genai';
import { jsonArray } from '../../../../../core/framing/json-array.ts';
import { sse } from '../../../../../core/framing/sse.ts';
import {
  GatewayError,
  type GenerateRequest,
  type GenerateResponse,
  type JsonObject,
  type Usage,
} from '../../../../../core/api/index.ts';
import type { GenerateEvent, InboundRequest, Loss, WriteContext } from '../../../../../core/api/codec.ts';
import { generateContentCodec } from '../../../../../providers/google/generate-content/index.ts';

const { client } = generateContentCodec;
if (client?.encodeStream === undefined) throw new Error('the codec has a client half');
export const clientSide = client;
const { encodeStream } = client;

export const inbound = (body: unknown, members: Partial<InboundRequest> = {}): InboundRequest => ({
  raw: Buffer.from(JSON.stringify(body) ?? ''),
  body,
  headers: {},
  query: {},
  model: 'google/gemini',
  stream: false,
  ...members,
});

/** A request of this wire, decoded: a greeting with the given members. */
export const decode = (members: JsonObject = {}): GenerateRequest =>
  clientSide.decodeRequest(inbound({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }], ...members })).request;
export const decodeContents = (...contents: readonly unknown[]): GenerateRequest => decode({ contents });

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

export const writeContext = (members: Partial<WriteContext> = {}): WriteContext => ({
  request: decode({ generationConfig: { thinkingConfig: { includeThoughts: true } } }),
  created: 1_700_000_000,
  now: () => 1_700_000_001,
  newId: (prefix) => `${prefix}fresh`,
  lose: () => {},
  inputEstimate: 7,
  ...members,
});

export const collectLosses = (): {
  readonly losses: Loss[];
  readonly lose: (field: string, kind: Loss['kind'], detail: string) => void;
} => {
  const losses: Loss[] = [];
  return { losses, lose: (field, kind, detail) => losses.push({ field, kind, detail }) };
};

export const respond = (response: GenerateResponse, members: Partial<WriteContext> = {}): JsonObject =>
  JSON.parse(JSON.stringify(clientSide.encodeResponse(response, writeContext(members)))) as JsonObject;

/** The data of the frames for a client. */
export const writeFrames = (
  events: readonly GenerateEvent[],
  members: Partial<WriteContext> = {},
): readonly string[] => {
  const frames: string[] = [];
  const encoder = encodeStream(writeContext(members));
  for (const event of events) {
    encoder.push(event, (name, data) => {
      if (name !== undefined) throw new Error('frames of this wire have no names');
      frames.push(data);
    });
  }
  return frames;
};
export const writeChunks = (
  events: readonly GenerateEvent[],
  members: Partial<WriteContext> = {},
): readonly JsonObject[] => writeFrames(events, members).map((data) => JSON.parse(data) as JsonObject);

const frame = (writer: typeof sse.writer, frames: readonly string[]): string =>
  `${frames.map((data, index) => writer?.frame(undefined, data, index === 0) ?? '').join('')}${writer?.close() ?? ''}`;
export const writeSse = (events: readonly GenerateEvent[], members: Partial<WriteContext> = {}): string =>
  frame(sse.writer, writeFrames(events, members));
export const writeArray = (events: readonly GenerateEvent[], members: Partial<WriteContext> = {}): string =>
  frame(jsonArray.writer, writeFrames(events, members));

/** The parts of the first candidate of each chunk, joined. */
export const partsOf = (chunks: readonly JsonObject[]): readonly JsonObject[] =>
  chunks.flatMap((chunk) => {
    const [candidate] = (chunk['candidates'] ?? []) as readonly {
      readonly content: { readonly parts: readonly JsonObject[] };
    }[];
    return candidate?.content.parts ?? [];
  });

export const text = (part: number, ...pieces: readonly string[]): readonly GenerateEvent[] => [
  { type: 'part-start', choice: 0, part, kind: 'text' },
  ...pieces.map((piece): GenerateEvent => ({ type: 'part-delta', choice: 0, part, text: piece })),
  { type: 'part-end', choice: 0, part },
];
export const callStart = (part: number, id: string, name: string): GenerateEvent => ({
  type: 'part-start',
  choice: 0,
  part,
  kind: 'tool-call',
  call: { id, name, kind: 'function' },
});
export const delta = (part: number, fragment: string): GenerateEvent => ({
  type: 'part-delta',
  choice: 0,
  part,
  text: fragment,
});
export const end = (part: number): GenerateEvent => ({ type: 'part-end', choice: 0, part });
export const start: GenerateEvent = { type: 'response-start', id: 'r1', model: 'p/m' };
export const finished = (reason: 'stop' | 'tool_calls' | 'length' = 'stop'): readonly GenerateEvent[] => [
  { type: 'choice-end', choice: 0, finish: { reason } },
  { type: 'response-end' },
];

export const usage: Usage = {
  inputUncached: 12,
  cacheRead: 4000,
  cacheWrite5m: 500,
  cacheWrite1h: 0,
  output: 90,
  reasoning: 60,
  source: 'provider',
};

/** Reasoning with a signature, text, a call in two fragments, a call without arguments. */
export const golden: readonly GenerateEvent[] = [
  start,
  { type: 'part-start', choice: 0, part: 0, kind: 'reasoning' },
  delta(0, 'Let me check.'),
  { type: 'part-end', choice: 0, part: 0, proof: { origin: undefined, value: 'U0lH' } },
  ...text(1, 'Check', 'ing.'),
  callStart(2, 'call_1', 'get_weather'),
  delta(2, '{"city":'),
  delta(2, '"Paris"}'),
  end(2),
  callStart(3, 'call_2', 'get_time'),
  end(3),
  { type: 'usage', usage },
  ...finished('tool_calls'),
];

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

const readAsked = async (request: IncomingMessage): Promise<Asked> => {
  let raw = '';
  for await (const chunk of request) raw += String(chunk);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return {
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers,
    body: raw === '' ? undefined : JSON.parse(raw),
  };
};

/** The official client, and a server that sends these responses in order. */
export const withSdk = async (
  answers: readonly Answer[],
  use: (sdk: GoogleGenAI, asked: readonly Asked[]) => Promise<void>,
): Promise<void> => {
  const asked: Asked[] = [];
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push(await readAsked(request));
    const { status = 200, headers = {}, text: body } = answers[asked.length - 1] ?? { status: 500, text: '{}' };
    response.writeHead(status, {
      'content-type': body.startsWith('data:') ? 'text/event-stream' : 'application/json',
      ...headers,
    });
    response.end(body);
  };
  const server: Server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const { port } = server.address() as AddressInfo;
    await use(new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: `http://127.0.0.1:${port}` } }), asked);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
};

/** The request that the server received, as the codec reads it: the path has model and method. */
export const decodeAsked = ({ path, query, headers, body }: Asked) => {
  const [, model = '', method = ''] = /^\/v1(?:beta)?\/models\/(.+):(\w+)$/.exec(decodeURIComponent(path)) ?? [];
  return clientSide.decodeRequest(inbound(body, { model, query, headers, stream: method === 'streamGenerateContent' }));
};
