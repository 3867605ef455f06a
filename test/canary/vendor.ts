import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The behaviour of a vendor, named by the first segment of its path. */
export const behaviours = ['good', '400', '401', '403', '429', '500', 'page', 'garbage', 'cut', 'late'] as const;
export type Behaviour = (typeof behaviours)[number];

export interface VendorCall {
  readonly behaviour: string;
  /** The head and the body as received, credential included. */
  readonly text: string;
}

export interface Vendor {
  readonly url: string;
  readonly calls: readonly VendorCall[];
  stop(): Promise<void>;
}

type Shape = 'chat' | 'messages' | 'google';

const shapeOf = (path: string): Shape =>
  path.includes('/messages') ? 'messages' : path.includes('/v1beta/') ? 'google' : 'chat';

const plain = (shape: Shape, text: string): object => {
  if (shape === 'chat')
    return {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
    };
  if (shape === 'messages')
    return {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 5, output_tokens: 7 },
    };
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 },
    modelVersion: 'm',
  };
};

const chunk = (delta: object, finish: string | null): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** The events of a stream: first its content, then its end. */
const events = (
  shape: Shape,
  text: string,
): readonly [content: readonly object[], end: readonly (object | string)[]] => {
  if (shape === 'chat') return [[chunk({ role: 'assistant', content: text }, null)], [chunk({}, 'stop'), '[DONE]']];
  if (shape === 'google')
    return [
      [plain('google', text)].map((event) => ({
        ...event,
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }],
      })),
      [plain('google', '')],
    ];
  const message = { ...plain('messages', ''), content: [], stop_reason: null };
  return [
    [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    ],
    [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ],
  ];
};

const frame = (event: object | string): string => {
  const name = typeof event === 'object' && 'type' in event ? `event: ${String(event.type)}\n` : '';
  return `${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
};

/** An error of a vendor that repeats the request. */
const errorOf = (shape: Shape, status: number, echo: string): object => {
  const message = `Refused: ${echo}`;
  if (shape === 'messages')
    return {
      type: 'error',
      error: { type: status === 401 ? 'authentication_error' : 'invalid_request_error', message },
    };
  if (shape === 'google')
    return {
      error: {
        code: status,
        message,
        status: status === 401 ? 'UNAUTHENTICATED' : 'INVALID_ARGUMENT',
        details: [{ reason: echo }],
      },
    };
  return {
    error: { message, type: 'invalid_request_error', param: echo, code: status === 401 ? 'invalid_api_key' : null },
  };
};

interface Received {
  readonly behaviour: string;
  readonly shape: Shape;
  readonly isStream: boolean;
  /** The credential of the request, in whichever header or parameter. */
  readonly credential: string;
}

const credentialOf = ({ headers, url = '' }: IncomingMessage): string =>
  String(
    headers.authorization ??
      headers['x-api-key'] ??
      headers['x-goog-api-key'] ??
      new URL(url, 'http://vendor').searchParams.get('key') ??
      '',
  );

const answerStream = async (
  response: ServerResponse,
  { behaviour, shape, credential }: Received,
  answer: string,
): Promise<void> => {
  const [content, end] = events(shape, answer);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-echo': credential });
  response.write(content.map(frame).join(''));
  if (behaviour === 'held') return;
  if (behaviour === 'good') return void response.end(end.map(frame).join(''));
  await new Promise((resolve) => setTimeout(resolve, 50));
  if (behaviour === 'cut') return void response.destroy();
  // An error in the middle of a stream, then bytes that are not an event.
  response.end(`${frame(errorOf(shape, 500, credential))}data: {"broken ${credential}\n\n`);
};

const respond = async (response: ServerResponse, received: Received, answer: string): Promise<void> => {
  const { behaviour, shape, isStream, credential } = received;
  const json = { 'content-type': 'application/json', 'x-echo': credential, 'x-request-id': credential };
  if (behaviour === 'otel') return void response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  const status = Number(behaviour);
  if (Number.isInteger(status))
    return void response.writeHead(status, json).end(JSON.stringify(errorOf(shape, status, `the key ${credential}`)));
  if (behaviour === 'page')
    return void response
      .writeHead(502, { 'content-type': 'text/html' })
      .end(`<html><title>Bad gateway</title>${credential}</html>`);
  if (behaviour === 'garbage') return void response.writeHead(200, json).end(`${credential} ${answer} {`);
  if (isStream) return answerStream(response, received, answer);
  if (behaviour === 'good') return void response.writeHead(200, json).end(JSON.stringify(plain(shape, answer)));
  response
    .writeHead(200, { ...json, 'content-length': '9999' })
    .write(JSON.stringify(plain(shape, answer)).slice(0, -1));
  setTimeout(() => response.destroy(), 50);
};

/**
 * Starts one server for all vendors.
 * @param answer the text of good responses
 */
export const startVendor = async (answer: string): Promise<Vendor> => {
  const calls: VendorCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) chunks.push(piece);
    const body = Buffer.concat(chunks).toString();
    const path = request.url ?? '';
    const behaviour = path.split('/')[1] ?? '';
    calls.push({ behaviour, text: `${path}\n${request.rawHeaders.join('\n')}\n${body}` });
    const isStream = path.includes('stream') || /"stream":\s*true/.test(body);
    await respond(response, { behaviour, shape: shapeOf(path), isStream, credential: credentialOf(request) }, answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
