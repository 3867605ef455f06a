import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { callOf } from '../test/support/calls.ts';
import { wires } from '../test/matrix/wires.ts';
import { call } from './client-call.ts';
import { KEY, modelOf, NARROW_KEY } from './settings.ts';
import { createRotation } from './rotation.ts';

/** What the clients received. */
export interface Tally {
  /** The id of each request. */
  readonly sent: string[];
  /** Whole responses, by status. */
  readonly statuses: Map<number, number>;
  /** Responses that clients aborted on purpose. */
  aborted: number;
  /** Responses that broke off. */
  broken: number;
  /** Requests without any response. */
  readonly lost: string[];
}

export interface Clients {
  readonly tally: Tally;
  /** Starts no new request; resolves when all running requests have ended, and closes all connections. */
  stop(): Promise<void>;
}

const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
const PLAIN_PAUSE_MS = 1_000;
/** Milliseconds after which a client aborts: before the response starts, and in the middle of a stream. */
const ABORT_AFTER_MS = [30, 800];
/** Between the first requests of two streams, so that they do not run in lockstep. */
const STAGGER_MS = 10;

/** Every pair of client wire and model. Streams and plain requests rotate separately. */
const pairs = wires.flatMap((model) => wires.map((client) => ({ client, model: modelOf(model) })));

/**
 * Starts `streams` concurrent streaming clients and a tenth as many that do not stream. Each sends its next request as
 * soon as the last one ended, and at least one.
 * @param name prefix of the request ids
 * @param abortShare share of the requests that are aborted
 */
export function startClients(url: string, name: string, streams: number, abortShare: number): Clients {
  const agent = new Agent({ keepAlive: true });
  const tally: Tally = { sent: [], statuses: new Map(), aborted: 0, broken: 0, lost: [] };
  const nextPair = { streamed: createRotation(pairs, 1), plain: createRotation(pairs, 1) };
  const abortAfter = createRotation(ABORT_AFTER_MS, abortShare);
  const narrow = createRotation([NARROW_KEY], 0.05);
  const over = new AbortController();

  const callOnce = async (mode: 'streamed' | 'plain'): Promise<void> => {
    const { client, model } = nextPair[mode]() ?? { client: 'chat', model: '' };
    const { path, body } = callOf(client, model, { stream: mode === 'streamed' });
    const id = `${name}-${tally.sent.length}`;
    tally.sent.push(id);
    const result = await call(agent, {
      url: url + path,
      headers: { ...headers, authorization: `Bearer ${narrow() ?? KEY}`, 'x-request-id': id },
      body,
      abortAfter: abortAfter(),
    });
    if (result.kind === 'answered') tally.statuses.set(result.status, (tally.statuses.get(result.status) ?? 0) + 1);
    else if (result.kind === 'lost') tally.lost.push(`${id}: ${result.reason}`);
    else tally[result.kind] += 1;
  };
  const stream = async (index: number): Promise<void> => {
    await delay(index * STAGGER_MS);
    do await callOnce('streamed');
    while (!over.signal.aborted);
  };
  const plain = async (): Promise<void> => {
    do {
      await callOnce('plain');
      await delay(PLAIN_PAUSE_MS);
    } while (!over.signal.aborted);
  };
  const running = Promise.all([
    ...Array.from({ length: streams }, (_, index) => stream(index)),
    ...Array.from({ length: Math.ceil(streams / 10) }, plain),
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
