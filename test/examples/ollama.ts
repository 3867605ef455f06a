import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../examples/ollama-provider/recordings');
const read = (name: string): { readonly response: { readonly body?: unknown; readonly text?: string } } =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as never;

/** A server that sends the recorded responses of Ollama, plain or streamed, as the request asks. */
export async function startOllama(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { stream } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly stream: boolean };
    response.setHeader('content-type', stream ? 'application/x-ndjson' : 'application/json');
    response.end(stream ? read('tools-stream.json').response.text : JSON.stringify(read('text.json').response.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
