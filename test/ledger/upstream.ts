import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';

/** A provider on the chat-completions wire that counts requests. Each response uses another number of tokens. */
export interface LedgerUpstream {
  readonly url: string;
  /** Requests by client, which is the first word of the prompt. */
  readonly reached: ReadonlyMap<string, number>;
  /** Holds back all responses. Resolves when this many requests wait. */
  hold(requests: number): Promise<void>;
  /** Sends the held responses, and all further ones at once. */
  release(): void;
  stop(): Promise<void>;
}

/** @param details of the usage in each response; rows have them as the vendor sent them */
export const startLedgerUpstream = async (details: object = {}): Promise<LedgerUpstream> => {
  const reached = new Map<string, number>();
  const held: (() => void)[] = [];
  let isHeld = false;
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { messages, stream } = JSON.parse(Buffer.concat(chunks).toString()) as {
      messages: readonly { readonly content: string }[];
      stream?: boolean;
    };
    const name = messages[0]?.content.split(' ')[0] ?? '';
    reached.set(name, (reached.get(name) ?? 0) + 1);
    count += 1;
    const [prompt, completion] = [100 + (count % 50), 10 + (count % 7)];
    await delay(10 * (0.5 + Math.random()));
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
    const message = { role: 'assistant', content: 'Hello.' };
    const usage = {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      ...details,
    };
    if (stream === true) {
      const head = { id: `chatcmpl-${count}`, object: 'chat.completion.chunk', created: 1, model: 'one' };
      const frames = [
        { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello.' }, finish_reason: null }] },
        { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        { ...head, choices: [], usage },
      ];
      const text = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${text}data: [DONE]\n\n`);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: `chatcmpl-${count}`,
        object: 'chat.completion',
        created: 1,
        model: 'one',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage,
      }),
    );
  });
  server.on('clientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reached,
    hold: async (requests) => {
      isHeld = true;
      await until('the requests wait', () => held.length >= requests);
    },
    release: () => {
      isHeld = false;
      for (const answer of held.splice(0)) answer();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
