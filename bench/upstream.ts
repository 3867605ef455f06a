import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The provider of the benchmark: one answer of 0.9 kB per wire, and a stream that is paced, never one write. Prints its port. */
const TEXT = 'All work and no play makes a gateway fast. '.repeat(12);
const TOKENS = 40;
const PACE_MS = 20;

const chat = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_763_000_000,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT, refusal: null }, finish_reason: 'stop', logprobs: null }],
  usage: { prompt_tokens: 250, completion_tokens: 120, total_tokens: 370, prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 0 } },
});

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_763_000_000, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }], usage: null })}\n\n`;
const usage = `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_763_000_000, model: 'bench', choices: [], usage: { prompt_tokens: 250, completion_tokens: TOKENS, total_tokens: 250 + TOKENS } })}\n\n`;

/** Each token carries the time of its sending, so that a reader sees what the way cost it. */
const stream = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', content: '' }));
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    response.write(chunk({ content: `@${(performance.timeOrigin + performance.now()).toFixed(3)} ` }));
    if (sent < TOKENS) return;
    clearInterval(timer);
    response.end(`${chunk({}, 'stop')}${usage}data: [DONE]\n\n`);
  }, PACE_MS);
  response.once('close', () => clearInterval(timer));
};

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) chunks.push(piece);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as { messages?: unknown; stream?: boolean };
  if (!Array.isArray(body.messages)) response.writeHead(400).end('{"error":{"message":"not a chat request"}}');
  else if (body.stream === true) stream(response);
  else response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(chat) }).end(chat);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
