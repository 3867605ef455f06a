import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import type { BenchRequest } from './requests.ts';

/** Streams that are open at the same time. */
export interface OpenStreams {
  /** Content events that have arrived. */
  readonly events: number;
  /** Milliseconds from the upstream's write of an event to its arrival, since they were last taken. */
  takeDelays(): readonly number[];
  /** Resolves when all have ended, with how many did not end well. */
  readonly ended: Promise<number>;
}

/** Pauses between the beginnings, so that the streams' events are spread over time. */
const APART_MS = 1;
const DONE = '[DONE]';

/** Opens so many streams, one shortly after the other. Each lasts as long as its request says. */
export async function openStreams(url: string, request: BenchRequest, count: number): Promise<OpenStreams> {
  const { path, headers, body } = request;
  const agent = new Agent({ bodyTimeout: 60_000, headersTimeout: 60_000 });
  let events = 0;
  let delays: number[] = [];
  const read = async (): Promise<boolean> => {
    const reply = await agent.request({ origin: url, path, method: 'POST', headers, body });
    let isDone = false;
    for await (const piece of reply.body as AsyncIterable<Buffer>) {
      const arrived = performance.timeOrigin + performance.now();
      const text = piece.toString();
      for (const [, sent] of text.matchAll(/@(\d+\.\d+) /g)) {
        events += 1;
        delays.push(arrived - Number(sent));
      }
      if (text.includes(DONE)) isDone = true;
    }
    return isDone && reply.statusCode === 200;
  };
  const open: Promise<boolean>[] = [];
  for (let index = 0; index < count; index += 1) {
    open.push(read().catch(() => false));
    await delay(APART_MS);
  }
  const ended = Promise.all(open).then(async (good) => {
    await agent.destroy();
    return good.filter((isGood) => !isGood).length;
  });
  return {
    get events() {
      return events;
    },
    takeDelays: () => {
      const taken = delays;
      delays = [];
      return taken;
    },
    ended,
  };
}
