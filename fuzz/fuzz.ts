import { setTimeout as sleep } from 'node:timers/promises';
import { request as requestHttp } from 'node:http';
import { omitUndefined } from '../core/api/codec.ts';
import { goodDay } from '../test/matrix/sample-bodies.ts';
import { textOf } from '../test/matrix/vendors/vendors.ts';
import type { Wire } from '../test/matrix/wires.ts';
import { makeAnswer, type FuzzAnswer } from './answers.ts';
import { startFuzzGateway, type FuzzGateway } from './gateway.ts';
import { createRandom, type Random } from './random.ts';
import { makeGoodRequest, makeRequest, type FuzzRequest } from './requests.ts';
import { settingsFor, type Direction } from './settings.ts';
import { startFuzzUpstream } from './upstream.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly direction: Direction;
  /** The run ends after this time or this number of cases. */
  readonly seconds: number;
  readonly cases: number;
  /** The first case. A single case is repeated by its number. */
  readonly from?: number;
  /** The path of a plugin that the gateway loads in addition. */
  readonly plugin?: string;
}

/** Something that must never happen. */
export interface Finding {
  readonly seed: number;
  readonly direction: Direction;
  /** The case that was running, or the last one that started. */
  readonly number: number;
  readonly what: string;
}
export interface FuzzReport {
  readonly cases: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly findings: readonly Finding[];
  /** Bytes of the heap after a collection, when the run was warm and at its end. */
  readonly heap: readonly [warm: number, end: number];
}

const LANES = 4;
/** In milliseconds: more than the deadlines of the gateway's upstream calls. */
const RESPONSE_MS = 20_000;
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
      { hostname, port, method: 'POST', path, headers, agent: false, timeout: RESPONSE_MS },
      (response) => {
        const chunks: Buffer[] = [];
        const done = (): void => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .once('end', done)
          .once('error', done);
      },
    );
    request.once('timeout', () => request.destroy(new Error('no response in time'))).once('error', reject);
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

/**
 * What is wrong with the gateway's response, if anything. With random upstream responses, any error is allowed, the
 * upstream's own included.
 */
const judgeReply = ({ status, text }: Reply, direction: Direction): string | undefined => {
  if (direction === 'answers') return undefined;
  if (status >= 500) return `${status}: ${text.slice(0, 300)}`;
  if (status >= 400 && !isErrorBody(text)) return `${status} without an error in its body: ${text.slice(0, 300)}`;
  return undefined;
};

const goodAnswer = (wire: Wire, streamed: boolean): FuzzAnswer => ({
  status: 200,
  headers: { 'content-type': streamed ? 'text/event-stream' : 'application/json' },
  pieces: [Buffer.from(textOf(wire, streamed ? 'streamed' : 'plain', goodDay))],
  ending: 'end',
});

/** The gateway closes the connection under a body that it does not read. */
const isRefusedBody = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'ECONNRESET' || thrown.code === 'EPIPE');

class FuzzRun {
  readonly #options: FuzzOptions;
  readonly #findings: Finding[] = [];
  readonly #statuses = new Map<number, number>();
  /** The running case of each lane. */
  readonly #current: number[] = [];
  #deadline = 0;
  #next: number;

  constructor(options: FuzzOptions) {
    this.#options = options;
    this.#next = options.from ?? 0;
  }

  /** The upstream's response to the running case of a lane. */
  respond(lane: number, wire: Wire, streamed: boolean): FuzzAnswer {
    return this.#options.direction === 'answers'
      ? makeAnswer(this.#randomOf(this.#current[lane] ?? 0), wire, streamed)
      : goodAnswer(wire, streamed);
  }

  startGateway(upstreamUrl: string): Promise<FuzzGateway> {
    const { direction, plugin } = this.#options;
    return startFuzzGateway({
      settings: settingsFor(omitUndefined({ url: upstreamUrl, lanes: LANES, direction, plugin })),
      onLog: ({ level, message, error, ...fields }) => {
        if (message === 'exchange' ? fields['code'] === 'internal_error' : level === 'error')
          this.#report(`logged: ${String(message)} ${JSON.stringify(error ?? fields).slice(0, 500)}`);
      },
      onStderr: (line) => this.#report(`standard error: ${line.slice(0, 500)}`),
      onBlocked: (milliseconds) =>
        this.#report(`the event loop was blocked for ${milliseconds} ms (cases ${this.#current.join(', ')})`),
    });
  }

  async play(gateway: FuzzGateway): Promise<FuzzReport> {
    const { from = 0, cases, seconds } = this.#options;
    this.#deadline = performance.now() + seconds * 1_000;
    await this.#playLanes(gateway, from + Math.min(WARM, cases));
    const warm = gateway.exited ? 0 : await gateway.heap();
    await this.#playLanes(gateway, from + cases);
    await sleep(100);
    const end = gateway.exited ? 0 : await gateway.heap();
    const played = this.#next - from;
    if (gateway.exited) this.#report('the gateway exited');
    else if (played > WARM && end - warm > HEAP_GROWTH) this.#report(`the heap grew from ${warm} to ${end} bytes`);
    return { cases: played, statuses: this.#statuses, findings: this.#findings, heap: [warm, end] };
  }

  #playLanes(gateway: FuzzGateway, until: number): Promise<unknown> {
    return Promise.all(Array.from({ length: LANES }, (_, lane) => this.#playLane(gateway, lane, until)));
  }

  async #playLane(gateway: FuzzGateway, lane: number, until: number): Promise<void> {
    while (this.#next < until && performance.now() < this.#deadline && !gateway.exited) {
      const number = this.#next;
      this.#next += 1;
      await this.#playCase(gateway, lane, number);
    }
  }

  async #playCase(gateway: FuzzGateway, lane: number, number: number): Promise<void> {
    const { direction } = this.#options;
    this.#current[lane] = number;
    // With random responses, the request is a valid one of any wire and vendor.
    const random = this.#randomOf(number);
    const request = direction === 'requests' ? makeRequest(random, lane) : makeGoodRequest(random, lane);
    try {
      const reply = await send(gateway.url, request);
      this.#statuses.set(reply.status, (this.#statuses.get(reply.status) ?? 0) + 1);
      const problem = judgeReply(reply, direction);
      if (problem !== undefined) this.#report(problem, number);
    } catch (thrown) {
      if (!isRefusedBody(thrown)) this.#report(`no response: ${String(thrown)}`, number);
    }
  }

  #randomOf(number: number): Random {
    return createRandom(this.#options.seed * 1_000_003 + number);
  }

  #report(what: string, number = Math.max(...this.#current)): void {
    const { seed, direction } = this.#options;
    this.#findings.push({ seed, direction, number, what });
  }
}

/** Plays random cases against a gateway in its own process. A seed and a number always make the same case. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const run = new FuzzRun(options);
  const upstream = await startFuzzUpstream((lane, wire, streamed) => run.respond(lane, wire, streamed));
  const gateway = await run.startGateway(upstream.url);
  try {
    return await run.play(gateway);
  } finally {
    await gateway.stop();
    await upstream.stop();
  }
}
