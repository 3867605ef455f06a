import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerEmbeddings } from './embeddings.ts';
import type { FuzzAnswer } from './answers.ts';
import type { FuzzWire } from './wires.ts';

/** Makes the response of a lane's upstream. */
export type AnswerCall = (lane: number, wire: FuzzWire, streamed: boolean) => FuzzAnswer;

export interface FuzzUpstream {
  readonly url: string;
  stop(): Promise<void>;
}

const wireAt = (path: string): FuzzWire => {
  if (path.endsWith('/interactions')) return 'interactions';
  if (path.includes('/v1beta/')) return 'google';
  if (path.endsWith('/messages')) return 'messages';
  return path.endsWith('/responses') ? 'responses' : 'chat';
};

const write = (response: ServerResponse, { status, headers, pieces, ending }: FuzzAnswer): void => {
  response.writeHead(status, headers);
  for (const piece of pieces) response.write(piece);
  if (ending === 'end') response.end();
  else if (ending === 'reset') setImmediate(() => response.socket?.resetAndDestroy());
};

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** Parsed, since the name of the member can be escaped. */
const asksForStream = (text: string): boolean => {
  try {
    return (JSON.parse(text) as { readonly stream?: unknown } | null)?.stream === true;
  } catch {
    return false;
  }
};

/** All vendors of all lanes on one server. The first segment of the path is the lane. */
export async function startFuzzUpstream(answer: AnswerCall): Promise<FuzzUpstream> {
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const path = (request.url ?? '').split('?')[0] ?? '';
    const text = await readBody(request).catch(() => '');
    if (/embed/i.test(path)) return answerEmbeddings(response, path, text);
    if (path.endsWith(':countTokens'))
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"totalTokens":7}');
    if (/(?:count|input)_tokens$/.test(path))
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"object":"response.input_tokens","input_tokens":7}');
    return write(
      response,
      answer(Number(/^\/(\d+)\//.exec(path)?.[1]), wireAt(path), path.includes(':stream') || asksForStream(text)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
