import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Headers, JsonObject, WireName } from '../../api/index.ts';
import { isObject } from '../../canonical/json/members.ts';
import { toGatewayError } from '../../errors/gateway-error.ts';
import type { Registry } from '../../extensions/registry.ts';
import { findWireRoute, writeContent, type TestAnswer, type TestResponse, type WireRoute } from './answer.ts';

/** A request that the upstream has received. */
export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** With names in lower case. */
  readonly headers: Headers;
  /** The wire that vendors serve at the path; absent: none. */
  readonly wire?: WireName;
  readonly text: string;
  /** The text as JSON; empty if it is not a JSON object. */
  readonly body: JsonObject;
}

/** A vendor for tests: an HTTP server on 127.0.0.1. */
export interface TestUpstream {
  /** Without a trailing slash. */
  readonly url: string;
  /** What it has received, in order. */
  readonly requests: ReceivedRequest[];
  /**
   * Sets how it answers from now on. Before, and where the answer is undefined, it answers each request of an official
   * wire with `Hello from the upstream.`
   * @example upstream.answer({ text: ['The pass', 'word is 4711.'] })
   * @example upstream.answer(({ body }) => body['model'] === 'large' ? { status: 529, body: 'Overloaded' } : undefined)
   */
  answer(
    answer: TestAnswer | ((request: ReceivedRequest) => TestAnswer | undefined | Promise<TestAnswer | undefined>),
  ): void;
  /** Cuts all connections and closes the server. */
  close(): Promise<void>;
}

const parse = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

const isIterable = (body: unknown): body is AsyncIterable<string | Uint8Array> =>
  isObject(body) && Symbol.asyncIterator in body;

async function send(response: ServerResponse, { status = 200, headers = {}, body }: TestResponse): Promise<void> {
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  const defaults = isText || isIterable(body) ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...defaults, ...headers });
  if (!isIterable(body)) return void response.end(isText ? body : JSON.stringify(body));
  try {
    for await (const chunk of body) await new Promise((resolve) => response.write(chunk, resolve));
    response.end();
  } catch {
    response.destroy();
  }
}

const receive = async (message: IncomingMessage, registry: Registry) => {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const { pathname, searchParams } = new URL(message.url ?? '/', 'http://upstream');
  const route = findWireRoute(decodeURIComponent(pathname), registry.codecs);
  const request: ReceivedRequest = {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)])),
    ...(route === undefined ? {} : { wire: route.wire }),
    text: raw.toString(),
    body: parse(raw.toString()),
  };
  return { request, raw, route, query: Object.fromEntries(searchParams) };
};

type Received = Awaited<ReturnType<typeof receive>>;

const respond = (answer: TestAnswer, { request, raw, route, query }: Received, registry: Registry): TestResponse => {
  if ('body' in answer) return answer;
  const { method, path, headers, body } = request;
  if (route === undefined) {
    const error = `The upstream of this test knows no wire at ${method} ${path}: give upstream.answer a body for it.`;
    return { status: 404, body: { error: { message: error } } };
  }
  try {
    const { model, stream } = route;
    const place = model === undefined ? {} : { model, stream };
    return writeContent(route, { raw, body, headers, query, ...place }, answer, registry);
  } catch (thrown) {
    return refuse(route, thrown, registry);
  }
};

/** The error with which a vendor refuses a request, in its wire. */
const refuse = ({ operation, wire }: WireRoute, thrown: unknown, registry: Registry): TestResponse => {
  const error = toGatewayError(thrown);
  const encoded = registry.codec(operation, wire)?.client?.encodeError(error, { requestId: 'upstream' });
  return encoded === undefined ? { status: 500, body: error.message } : { ...encoded, body: encoded.body ?? {} };
};

/** Starts the upstream of a test gateway. @param registry the codecs of the wires that it can answer */
export async function listenUpstream(registry: Registry): Promise<TestUpstream> {
  const requests: ReceivedRequest[] = [];
  let find: (request: ReceivedRequest) => TestAnswer | undefined | Promise<TestAnswer | undefined> = () => undefined;
  const server = createServer(async (message, response) => {
    try {
      const received = await receive(message, registry);
      requests.push(received.request);
      await send(response, respond((await find(received.request)) ?? {}, received, registry));
    } catch (thrown) {
      const text = thrown instanceof Error ? thrown.message : String(thrown);
      await send(response, { status: 500, body: { error: { message: `upstream.answer failed: ${text}` } } });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (answer) => {
      find = typeof answer === 'function' ? answer : () => answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
