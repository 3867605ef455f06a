import { setTimeout as sleep } from 'node:timers/promises';
import { request as requestHttp } from 'node:http';
import { omitUndefined } from '../core/index.ts';
import { goodDay } from '../test/matrix/said.ts';
import { textOf } from '../test/matrix/vendors.ts';
import { makeAnswer, type FuzzAnswer } from './answers.ts';
import { startFuzzedGateway } from './gateway.ts';
import { createRandom } from './random.ts';
import { makeGoodRequest, makeRequest, type FuzzRequest } from './requests.ts';
import { settingsFor, type Direction } from './settings.ts';
import { startFuzzUpstream } from './upstream.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly direction: Direction;
  /** It ends after so long, or after so many cases. */
  readonly seconds: number;
  readonly cases: number;
  /** The first case: one alone is played again by its number. */
  readonly from?: number;
  /** The path of a plugin that the gateway loads as well. */
  readonly plugin?: string;
}

/** Something that must never happen. */
export interface Finding {
  readonly seed: number;
  readonly direction: Direction;
  /** The case that was under way, or the last one that began. */
  readonly number: number;
  readonly what: string;
}
export interface FuzzReport {
  readonly cases: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly findings: readonly Finding[];
  /** Bytes of the heap, after collections, when the run was warm and at its end. */
  readonly heap: readonly [warm: number, end: number];
}

const LANES = 4;
/** Milliseconds: more than the deadlines of the gateway's upstream calls. */
const ANSWER_MS = 20_000;
const WARM = 200;
const HEAP_GROWTH = 64 * 1_048_576;

interface Reply {
  readonly status: number;
  readonly text: string;
}

const send = (url: string, { path, headers, pieces }: FuzzRequest): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = requestHttp(
      { hostname, port, method: 'POST', path, headers, agent: false, timeout: ANSWER_MS },
      (response) => {
        const chunks: Buffer[] = [];
        const done = (): void => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .once('end', done)
          .once('error', done);
      },
    );
    request.once('timeout', () => request.destroy(new Error('no answer in time'))).once('error', reject);
    for (const piece of pieces) request.write(piece);
    request.end();
  });

const isErrorBody = (text: string): boolean => {
  try {
    const body = JSON.parse(text) as { readonly error?: { readonly message?: unknown } };
    return typeof body.error?.message === 'string' && body.error.message !== '' && !/\n\s+at /.test(body.error.message);
  } catch {
    return false;
  }
};

/** What is wrong with the gateway's response, if anything. Random upstream responses can cause any error, with any text. */
const judgeReply = ({ status, text }: Reply, direction: Direction): string | undefined => {
  if (direction === 'answers') return undefined;
  if (status >= 500) return `${status}: ${text.slice(0, 300)}`;
  if (status >= 400 && !isErrorBody(text)) return `${status} without an error in its body: ${text.slice(0, 300)}`;
  return undefined;
};

const goodAnswer = (wire: Parameters<typeof makeAnswer>[1], streamed: boolean): FuzzAnswer => ({
  status: 200,
  headers: { 'content-type': streamed ? 'text/event-stream' : 'application/json' },
  pieces: [Buffer.from(textOf(wire, streamed ? 'streamed' : 'plain', goodDay))],
  ending: 'end',
});

/** A connection that is closed under a body that the gateway no longer reads. */
const isRefusedBody = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'ECONNRESET' || thrown.code === 'EPIPE');

/** Plays random cases against a gateway in a process of its own. A case is the same whenever its seed and number are. */
export async function fuzz({ seed, direction, seconds, cases, from = 0, plugin }: FuzzOptions): Promise<FuzzReport> {
  const findings: Finding[] = [];
  const statuses = new Map<number, number>();
  const current: number[] = [];
  let next = from;
  const find = (what: string, number = Math.max(...current)): void =>
    void findings.push({ seed, direction, number, what });

  const upstream = await startFuzzUpstream((lane, wire, streamed) =>
    direction === 'answers'
      ? makeAnswer(createRandom(seed * 1_000_003 + (current[lane] ?? 0)), wire, streamed)
      : goodAnswer(wire, streamed),
  );
  const gateway = await startFuzzedGateway({
    settings: settingsFor(omitUndefined({ url: upstream.url, lanes: LANES, direction, plugin })),
    logged: ({ level, message, error, ...fields }) => {
      if (message === 'exchange' ? fields['code'] === 'internal_error' : level === 'error')
        find(`logged: ${String(message)} ${JSON.stringify(error ?? fields).slice(0, 500)}`);
    },
    said: (line) => find(`standard error: ${line.slice(0, 500)}`),
    blocked: (milliseconds) => find(`the event loop was blocked for ${milliseconds} ms (cases ${current.join(', ')})`),
  });
  const play = async (lane: number, number: number): Promise<void> => {
    current[lane] = number;
    // The request of an answer's case is a good one, of any wire and vendor: the case is what comes back.
    const random = createRandom(seed * 1_000_003 + number);
    const request = direction === 'requests' ? makeRequest(random, lane) : makeGoodRequest(random, lane);
    try {
      const reply = await send(gateway.url, request);
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      const wrong = judgeReply(reply, direction);
      if (wrong !== undefined) find(wrong, number);
    } catch (thrown) {
      if (!isRefusedBody(thrown)) find(`no answer: ${String(thrown)}`, number);
    }
  };
  try {
    const deadline = performance.now() + seconds * 1_000;
    const run = async (lane: number, until: number): Promise<void> => {
      while (next < until && performance.now() < deadline && !gateway.exited) await play(lane, next++);
    };
    const runLanes = (until: number): Promise<unknown> =>
      Promise.all(Array.from({ length: LANES }, (_, lane) => run(lane, until)));
    await runLanes(from + Math.min(WARM, cases));
    const warm = gateway.exited ? 0 : await gateway.heap();
    await runLanes(from + cases);
    await sleep(100);
    const end = gateway.exited ? 0 : await gateway.heap();
    if (gateway.exited) find('the gateway exited');
    else if (next - from > WARM && end - warm > HEAP_GROWTH) find(`the heap grew from ${warm} to ${end} bytes`);
    return { cases: next - from, statuses, findings, heap: [warm, end] };
  } finally {
    await gateway.stop();
    await upstream.stop();
  }
}
