import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { goodDay } from '../../../test/matrix/sample-bodies.ts';
import { textOf } from '../../../test/matrix/vendors/vendors.ts';
import { wireAt } from '../../../test/support/calls.ts';

/** All vendors on one server, which keeps what it gets. The first segment of the path is the lane. */
export interface FilterUpstream {
  readonly url: string;
  /** The last body of each lane. */
  readonly received: Map<number, string>;
  /** The deltas of the next response of each lane; absent: any response of the wire. */
  readonly deltas: Map<number, readonly string[]>;
  stop(): Promise<void>;
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const choiceOf = (delta: object, reason: string | null): string =>
  `data: ${JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'x',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })}\n\n`;
const writeStream = (response: ServerResponse, deltas: readonly string[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(choiceOf({ role: 'assistant', content: '' }, null));
  for (const content of deltas) response.write(choiceOf({ content }, null));
  response.end(`${choiceOf({}, 'stop')}data: [DONE]\n\n`);
};

export async function startFilterUpstream(): Promise<FilterUpstream> {
  const [received, deltas] = [new Map<number, string>(), new Map<number, readonly string[]>()];
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const [, number = '', path = ''] = /^\/(\d+)(\/[^?]*)/.exec(request.url ?? '') ?? [];
    const lane = Number(number);
    const text = await readBody(request).catch(() => '');
    received.set(lane, text);
    const own = deltas.get(lane);
    const isStreamed = path.includes(':stream') || /"stream":\s*true/.test(text);
    if (own !== undefined && isStreamed) return writeStream(response, own);
    const type = isStreamed ? 'text/event-stream' : 'application/json';
    const usual = (): string => textOf(wireAt(path), isStreamed ? 'streamed' : 'plain', goodDay);
    const message = { role: 'assistant', content: own?.join('') ?? '' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response
      .writeHead(200, { 'content-type': type })
      .end(own === undefined ? usual() : JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, choices }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    deltas,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
