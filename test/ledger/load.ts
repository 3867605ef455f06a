import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../support/http.ts';

/** A response as its client saw it. */
export interface Seen {
  readonly id: string;
  readonly client: string;
  readonly status: number;
  /** When the last byte arrived, by performance.now(). */
  readonly at: number;
  readonly input: number;
  readonly output: number;
  readonly text: string;
}

export interface Load {
  readonly seen: readonly Seen[];
  /** Resolves after this many more responses. */
  more(answers: number): Promise<void>;
  /** Resolves when the requests under way have ended. */
  stop(): Promise<void>;
}

/** Keys of the configuration. Each is used by one client, which sends one request after the other. */
export const clients: readonly string[] = Array.from({ length: 6 }, (_, index) => `client-${index + 1}`);
export const keyOf = (client: string): string => `${client}-key-0123456789abcdef`;

const complete = async (url: string, client: string): Promise<Seen> => {
  const headers = { authorization: `Bearer ${keyOf(client)}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'vendor/one', messages: [{ role: 'user', content: `${client} hello` }] });
  const { status, headers: answered, text } = await send(url, { path: '/v1/chat/completions', headers, body });
  const { usage } = JSON.parse(text) as { usage?: { prompt_tokens: number; completion_tokens: number } };
  return {
    id: String(answered['x-request-id']),
    client,
    status,
    at: performance.now(),
    input: usage?.prompt_tokens ?? 0,
    output: usage?.completion_tokens ?? 0,
    text,
  };
};

/** Runs all clients in closed loops until it is stopped. Aborted requests are not recorded. */
export const startLoad = (url: string, pauseMs = 25): Load => {
  const seen: Seen[] = [];
  let isOver = false;
  const run = async (client: string): Promise<void> => {
    if (isOver) return;
    await complete(url, client).then(
      (answer) => seen.push(answer),
      () => delay(20),
    );
    await delay(pauseMs);
    await run(client);
  };
  const running = Promise.all(clients.map(run));
  return {
    seen,
    more: async (answers) => {
      const wanted = seen.length + answers;
      for (const deadline = performance.now() + 40_000; seen.length < wanted; await delay(5))
        if (performance.now() > deadline) throw new Error(`only ${seen.length} of ${wanted} requests were answered`);
    },
    stop: async () => {
      isOver = true;
      await running;
    },
  };
};
