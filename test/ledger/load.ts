import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../e2e/http.ts';

/** What a client was answered. */
export interface Seen {
  readonly id: string;
  readonly client: string;
  readonly status: number;
  /** When the last byte had come, by performance.now(). */
  readonly at: number;
  readonly input: number;
  readonly output: number;
  readonly text: string;
}

export interface Load {
  readonly seen: readonly Seen[];
  /** Resolves when so many more were answered. */
  more(answers: number): Promise<void>;
  /** Resolves when the requests under way have ended. */
  stop(): Promise<void>;
}

/** Callers of the configuration: each is a client of its own, which asks one thing after the other. */
export const clients: readonly string[] = Array.from({ length: 6 }, (_, index) => `client-${index + 1}`);
export const keyOf = (client: string): string => `${client}-key-0123456789abcdef`;

const ask = async (url: string, client: string): Promise<Seen> => {
  const headers = { authorization: `Bearer ${keyOf(client)}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'vendor/one', messages: [{ role: 'user', content: `${client} asks` }] });
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

/** A closed loop of every client, until it is stopped. Requests that break off were answered nothing. */
export const startLoad = (url: string, pauseMs = 5): Load => {
  const seen: Seen[] = [];
  let isOver = false;
  const run = async (client: string): Promise<void> => {
    if (isOver) return;
    await ask(url, client).then(
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
