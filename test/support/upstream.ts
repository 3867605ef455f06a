import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface UpstreamCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly body: Record<string, unknown>;
}

export interface TestUpstream {
  /** Without a trailing slash. */
  readonly url: string;
  readonly calls: UpstreamCall[];
  /** How the next calls are answered. */
  answer: (response: ServerResponse, call: UpstreamCall) => void | Promise<void>;
  /** Answers that a client of ours cut before they ended. */
  readonly cut: { count: number };
  stop(): Promise<void>;
}

/** An upstream that sends what a test sets, and records what it received. */
export const startUpstream = async (): Promise<TestUpstream> => {
  const calls: UpstreamCall[] = [];
  const cut = { count: 0 };
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    response.once('close', () => {
      if (!response.writableFinished) cut.count += 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    const call: UpstreamCall = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      raw,
      body: JSON.parse(raw.toString() || '{}') as Record<string, unknown>,
    };
    calls.push(call);
    await upstream.answer(response, call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: TestUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    cut,
    answer: (response) => void response.writeHead(500).end(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return upstream;
};

export const answerJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

export const answerSse = (response: ServerResponse, text: string): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
};
