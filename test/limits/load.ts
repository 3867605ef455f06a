import type { HttpReply } from '../e2e/http.ts';

/** One request of a load, and what became of it. */
export interface Drop {
  readonly reply: HttpReply;
  readonly ms: number;
  /** This host counted by itself. */
  readonly local: boolean;
}

export interface Load {
  /** How many were asked. */
  asked(): number;
  /** Resolves when all who have asked by now are answered. */
  caughtUp(): Promise<unknown>;
  /** Stops asking, and waits for every answer. */
  stop(): Promise<readonly Drop[]>;
}

/** Asks at a steady rate, whether answers come or not. */
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
