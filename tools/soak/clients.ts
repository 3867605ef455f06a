import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { callOf } from '../../test/support/calls.ts';
import { wires } from '../../test/matrix/wires.ts';
import { call } from './client-call.ts';
import { modelOf } from './settings.ts';
import { createRotation } from './rotation.ts';

/** What the clients received. */
export interface Tally {
  /** The id of each request. */
  readonly sent: string[];
  /** The status of each whole response, by the id of its request. */
  readonly answered: Map<string, number>;
  /** Responses that clients aborted on purpose. */
  aborted: number;
  /** Responses that broke off. */
  broken: number;
  /** Requests without any response. */
  readonly lost: string[];
}

/** Of clients that have not begun. */
export const noTally = (): Tally => ({ sent: [], answered: new Map(), aborted: 0, broken: 0, lost: [] });

export interface Clients {
  readonly tally: Tally;
  /** Starts no new request; resolves when all running requests have ended, and closes all connections. */
  stop(): Promise<void>;
}

export interface ClientOptions {
  /** Where the next request is sent. */
  url(): string;
  /** The key of the next request. */
  key(): string;
  /** Prefix of the request ids. */
  readonly name: string;
  /** Clients that stream, and clients that do not. */
  readonly streams: number;
  readonly plain: number;
  /** Milliseconds between two plain requests of a client. */
  readonly pauseMs: number;
  /** Share of the requests that are aborted. */
  readonly abortShare: number;
  /** Of earlier clients with this name, which is continued. */
  readonly tally?: Tally;
}

const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
/** After a request without any response: the gateway may be gone. */
const LOST_PAUSE_MS = 50;
/** Milliseconds after which a client aborts: before the response starts, and in the middle of a stream. */
const ABORT_AFTER_MS = [30, 800];
/** Between the first requests of two streams, so that they do not run in lockstep. */
const STAGGER_MS = 10;

/** Every pair of client wire and model. Streams and plain requests rotate separately. */
const pairs = wires.flatMap((model) => wires.map((client) => ({ client, model: modelOf(model) })));

/** Starts the clients. Each sends its next request as soon as the last one ended, and at least one. */
export function startClients(options: ClientOptions): Clients {
  const { url, key, name, streams, plain, pauseMs, abortShare } = options;
  const agent = new Agent({ keepAlive: true });
  const { tally = noTally() } = options;
  const nextPair = { streamed: createRotation(pairs, 1), plain: createRotation(pairs, 1) };
  const abortAfter = createRotation(ABORT_AFTER_MS, abortShare);
  const over = new AbortController();

  const callOnce = async (mode: 'streamed' | 'plain'): Promise<void> => {
    const { client, model } = nextPair[mode]() ?? { client: 'chat', model: '' };
    const { path, body } = callOf(client, model, { stream: mode === 'streamed' });
    const id = `${name}-${tally.sent.length}`;
    tally.sent.push(id);
    const result = await call(agent, {
      url: url() + path,
      headers: { ...headers, authorization: `Bearer ${key()}`, 'x-request-id': id },
      body,
      abortAfter: abortAfter(),
    });
    if (result.kind === 'answered') tally.answered.set(id, result.status);
    else if (result.kind === 'lost') {
      tally.lost.push(`${id}: ${result.reason}`);
      await delay(LOST_PAUSE_MS);
    } else tally[result.kind] += 1;
  };
  const repeat = async (mode: 'streamed' | 'plain', index: number, pauseMs: number): Promise<void> => {
    await delay(index * STAGGER_MS);
    do {
      await callOnce(mode);
      if (pauseMs > 0) await delay(pauseMs);
    } while (!over.signal.aborted);
  };
  const running = Promise.all([
    ...Array.from({ length: streams }, (_, index) => repeat('streamed', index, 0)),
    ...Array.from({ length: plain }, (_, index) => repeat('plain', index, pauseMs)),
  ]);
  return {
    tally,
    stop: async () => {
      over.abort();
      await running;
      agent.destroy();
    },
  };
}

/** How many whole responses had each status. */
export const countStatuses = ({ answered }: Tally): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const status of answered.values()) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
};
