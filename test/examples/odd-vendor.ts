import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 };
const known = new Set(['messages', 'max_new_tokens', 'random_seed', 'safe_prompt', 'stream', 'temperature']);

/** The vendor of examples/odd-vendor: it refuses requests that follow OpenAI's API where its own differs. */
export async function startOddVendor(apiKey: string): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Readonly<Record<string, unknown>>;
    const unknown = Object.keys(body).filter((member) => !known.has(member));
    const refusal =
      request.url !== '/v2/models/acme-one/chat?api-version=2024-10-21'
        ? [404, 'no such path']
        : request.headers['x-acme-key'] !== `Token ${apiKey}` || request.headers['x-acme-team'] !== 'search'
          ? [401, 'no valid key']
          : unknown.length > 0 || body['safe_prompt'] !== true
            ? [400, `unknown members: ${unknown.join(', ')}`]
            : undefined;
    if (refusal !== undefined) {
      const [status, message] = refusal as [number, string];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ detail: message }));
      return;
    }
    const choice = { index: 0, message: { role: 'assistant', content: 'Hello from Acme.' }, finish_reason: 'stop' };
    const reply = { id: '1', object: 'chat.completion', created: 1, model: 'acme-one', choices: [choice], usage };
    if (body['stream'] !== true) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(reply));
      return;
    }
    const delta = { ...reply, choices: [{ index: 0, delta: choice.message, finish_reason: 'stop' }] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
