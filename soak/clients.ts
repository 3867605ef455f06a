import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { callOf } from '../test/e2e/calls.ts';
import { wires } from '../test/matrix/wires.ts';
import { ask } from './ask.ts';
import { KEY, modelOf, NARROW_KEY } from './settings.ts';
import { createTurns } from './turns.ts';

/** What clients met. */
export interface Tally {
  /** Each had an id of its own. */
  readonly sent: string[];
  /** Whole answers, by status. */
  readonly statuses: Map<number, number>;
  /** Clients that went away, on purpose. */
  left: number;
  /** Answers that had begun and broke off. */
  broken: number;
  /** Requests without any answer. */
  readonly lost: string[];
}

export interface Clients {
  readonly tally: Tally;
  /** Begins nothing new; resolves when what has begun is over, and closes all connections. */
  stop(): Promise<void>;
}

const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
const PLAIN_PAUSE_MS = 1_000;
/** Milliseconds after a request was written at which its client leaves: before the answer has begun, and in the middle of a stream. */
const LEAVE_AFTER_MS = [30, 800];
/** Between the first requests of two streams, so that not all of them walk in step. */
const STAGGER_MS = 10;

/** Every client's wire with every model, in each mode by turns of its own. */
const pairs = wires.flatMap((model) => wires.map((client) => ({ client, model: modelOf(model) })));

/**
 * So many clients at once that stream, and a tenth as many that do not, each asking again as soon as it is answered, and once at least.
 * @param name what the ids of their requests begin with
 * @param leaving the share of them that leave: before the answer, or in the middle of it
 */
export function startClients(url: string, name: string, streams: number, leaving: number): Clients {
  const agent = new Agent({ keepAlive: true });
  const tally: Tally = { sent: [], statuses: new Map(), left: 0, broken: 0, lost: [] };
  const nextPair = { streamed: createTurns(pairs, 1), plain: createTurns(pairs, 1) };
  const leaves = createTurns(LEAVE_AFTER_MS, leaving);
  const narrow = createTurns([NARROW_KEY], 0.05);
  const over = new AbortController();

  const askOnce = async (mode: 'streamed' | 'plain'): Promise<void> => {
    const { client, model } = nextPair[mode]() ?? { client: 'chat', model: '' };
    const { path, body } = callOf(client, model, { stream: mode === 'streamed' });
    const id = `${name}-${tally.sent.length}`;
    tally.sent.push(id);
    const met = await ask(agent, {
      url: url + path,
      headers: { ...headers, authorization: `Bearer ${narrow() ?? KEY}`, 'x-request-id': id },
      body,
      leavesAfter: leaves(),
    });
    if (met.kind === 'answered') tally.statuses.set(met.status, (tally.statuses.get(met.status) ?? 0) + 1);
    else if (met.kind === 'lost') tally.lost.push(`${id}: ${met.why}`);
    else tally[met.kind] += 1;
  };
  const stream = async (index: number): Promise<void> => {
    await delay(index * STAGGER_MS);
    do await askOnce('streamed');
    while (!over.signal.aborted);
  };
  const plain = async (): Promise<void> => {
    do {
      await askOnce('plain');
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
