import type { HttpReply } from '../../support/http.ts';

/** One request of a load, with its result. */
export interface Drop {
  readonly reply: HttpReply;
  readonly ms: number;
  /** This host counted alone. */
  readonly local: boolean;
}

export interface Load {
  /** The number of requests. */
  asked(): number;
  /** Resolves when all requests so far have their response. */
  caughtUp(): Promise<unknown>;
  /** Stops sending, and waits for every response. */
  stop(): Promise<readonly Drop[]>;
}

/** Sends requests at a constant rate, whether responses arrive or not. */
export const startLoad = (perSecond: number, ask: () => Promise<HttpReply>): Load => {
  const began = performance.now();
  const drops: Promise<Drop>[] = [];
  const drop = async (): Promise<Drop> => {
    const asked = performance.now();
    const reply = await ask();
    return { reply, ms: performance.now() - asked, local: reply.headers['x-koine-ratelimit-mode'] === 'local' };
  };
  const timer = setInterval(() => {
    while (drops.length < ((performance.now() - began) * perSecond) / 1_000) drops.push(drop());
  }, 5);
  return {
    asked: () => drops.length,
    caughtUp: () => Promise.all(drops),
    stop: () => {
      clearInterval(timer);
      return Promise.all(drops);
    },
  };
};
