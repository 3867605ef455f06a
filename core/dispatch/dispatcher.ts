import type { WireName } from '../canonical/wire.ts';
import type { AttemptRecord, CallRecord, Ending } from '../contracts/attempt-record.ts';
import type { Attempt, AttemptDetails, MakeAttempt, Order, Send, Strategy, Reply } from '../contracts/attempt.ts';
import type { Exchange } from '../contracts/exchange.ts';
import type { Target } from '../contracts/target.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import type { Log } from '../contracts/services.ts';
import { toGatewayError, type GatewayError } from '../errors/gateway-error.ts';
import { hasLeft } from '../lanes/upstream/read-on.ts';
import { chooseWire } from './choose-wire.ts';
import { listBilledCalls, statusOfCalls } from './upstream-calls.ts';
import { sendRenewable } from './credentials/send-renewable.ts';
import { classifyFailure } from './upstream-error.ts';

type Observe = (exchange: Exchange, attempt: AttemptRecord) => void;

/** Calls the `observe` hook of every plugin. A hook that throws is logged; the others are still called. */
export function composeObserve(plugins: readonly PluginInstance[], log: Log): Observe {
  const observers = plugins.flatMap((plugin) => (plugin.observe === undefined ? [] : [plugin.observe.bind(plugin)]));
  return (exchange, attempt) => {
    for (const observe of observers) {
      try {
        observe(exchange, attempt);
      } catch (error) {
        log.error({ request_id: exchange.id, error }, 'a plugin failed to observe an attempt');
      }
    }
  };
}

/** Records what a response has created at a vendor. @returns a promise only if it has to wait */
export type KeepStored = (
  exchange: Exchange,
  target: Target,
  credential: string,
  ids: readonly string[],
) => Promise<void> | undefined;

export interface DispatchParts {
  readonly keepStored: KeepStored;
  readonly strategy: Strategy;
  /** Absent: no plugin has the hook. */
  readonly order?: Order | undefined;
  /** In YAML order; the first is the outermost. */
  readonly interceptors: readonly ((next: Send) => Send)[];
  readonly lane: Send;
  readonly observe: Observe;
}

/** The attempts of one exchange so far. */
export interface AttemptTrail {
  readonly attempts: AttemptRecord[];
  /** The target of the attempt in flight. */
  target: Target | undefined;
  /** The provider of the last attempt. */
  provider: string | undefined;
  /** A response that has begun and is neither delivered nor cancelled yet. */
  reply: Reply | undefined;
}

export type Dispatch = (exchange: Exchange, trail: AttemptTrail) => Promise<Reply>;

const noHeaders = {};
const noCall: Partial<CallRecord> = {};
const noDetails: AttemptDetails = {};

/** Records one attempt, exactly once, however it ends. */
class Recorder {
  readonly calls: CallRecord[] = [];
  wire: WireName | undefined = undefined;
  readonly #startedAt = performance.now();
  readonly #exchange: Exchange;
  readonly #trail: AttemptTrail;
  readonly #target: Target;
  readonly #credential: string;
  readonly #details: AttemptDetails;
  readonly #parts: Pick<DispatchParts, 'observe' | 'keepStored'>;
  #reply: Reply | undefined;
  #isOver = false;

  constructor(
    exchange: Exchange,
    trail: AttemptTrail,
    target: Target,
    credential: string,
    details: AttemptDetails,
    parts: Pick<DispatchParts, 'observe' | 'keepStored'>,
  ) {
    this.#exchange = exchange;
    this.#trail = trail;
    this.#target = target;
    this.#credential = credential;
    this.#details = details;
    this.#parts = parts;
    trail.target = target;
    trail.provider = target.provider;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** The response has begun. */
  begin(reply: Reply): void {
    this.#reply = reply;
    this.#trail.reply = reply;
  }

  end(facts: Partial<AttemptRecord>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { requestId: upstreamRequestId, headersMs = 0 } = this.calls.at(-1) ?? noCall;
    const { waitedMs, skipped } = this.#details;
    const record: AttemptRecord = Object.freeze({
      target: this.#target.id,
      credential: this.#credential,
      ...(this.wire === undefined ? undefined : { wire: this.wire }),
      lane: this.#reply?.lane,
      committed: false,
      status: this.#reply?.status ?? 0,
      losses: this.#reply?.losses ?? [],
      ...(upstreamRequestId === undefined ? undefined : { upstreamRequestId }),
      startedAt: this.#startedAt,
      ms: this.elapsedMs,
      ...(waitedMs === undefined ? undefined : { waitedMs }),
      ...(headersMs === 0 ? undefined : { headersMs }),
      ...(skipped === undefined ? undefined : { skipped }),
      ...facts,
    });
    this.#trail.target = undefined;
    this.#trail.reply = undefined;
    this.#trail.attempts.push(record);
    this.#parts.observe(this.#exchange, record);
  }

  /** The attempt failed before commit. @param clientLeft it failed because the client left */
  fail(error: GatewayError, clientLeft: boolean): void {
    const billedCalls = listBilledCalls(this.calls, error.code === 'client_closed');
    const status = statusOfCalls(this.calls) || (error.vendor?.status ?? 0);
    this.end({ status, failure: error.failure, ...(billedCalls.length === 0 ? {} : { billedCalls, clientLeft }) });
  }

  /** Records what the response has created at the vendor. @returns a promise only if it has to wait */
  keep(ids: readonly string[]): Promise<void> | undefined {
    return this.#parts.keepStored(this.#exchange, this.#target, this.#credential, ids);
  }

  /** The delivery failed: an interceptor has thrown. */
  break(error: GatewayError): void {
    const [usage, ...others] = listBilledCalls(this.calls, false);
    const calls = others.length === 0 ? {} : { calls: [usage, ...others] };
    this.end({ committed: true, ending: { reason: 'gateway_error', usage, ...calls, outputChars: 0, error } });
  }

  delivered(ending: Ending): Ending | Promise<Ending> {
    // An interceptor has responded itself: no provider charges for it.
    const isOwn = this.calls.length === 0 && ending.usage === undefined;
    this.end(isOwn ? { committed: true, ending, billedCalls: [] } : { committed: true, ending });
    const { stored } = ending;
    const keeping = stored === undefined || stored === this.#reply?.stored ? undefined : this.keep(stored);
    return keeping === undefined ? ending : keeping.then(() => ending);
  }
}

/** The reply of an attempt, with its end recorded. @param lostMs milliseconds spent in earlier attempts */
const recordReply = (reply: Reply, recorder: Recorder, lostMs: number): Reply => {
  const fail = (thrown: unknown): never => {
    const error = toGatewayError(thrown);
    reply.cancel(error);
    recorder.break(error);
    throw error;
  };
  const recorded: Reply = {
    ...reply,
    waitedMs: reply.waitedMs + lostMs,
    deliver: (output) => {
      try {
        const ending = reply.deliver(output);
        if (ending instanceof Promise) return ending.then((value) => recorder.delivered(value), fail);
        return recorder.delivered(ending);
      } catch (thrown) {
        return fail(thrown);
      }
    },
    // A response that is not delivered is charged all the same.
    cancel: (reason) => {
      reply.cancel(reason);
      recorder.end({ failure: reason.failure, billedCalls: listBilledCalls(recorder.calls, false) });
    },
  };
  recorder.begin(recorded);
  return recorded;
};

/** Composes strategy( interceptors( lane )), once at load, and records every attempt. */
export function createDispatch(parts: DispatchParts): Dispatch {
  const { strategy, order, interceptors, lane } = parts;
  const send = interceptors.reduceRight((next, intercept) => intercept(next), lane);

  return (exchange, trail) => {
    // Time of failed attempts and the pauses between them. It counts as waiting, not as the gateway's overhead.
    let lostMs = 0;
    const makeAttempt: MakeAttempt = async (target, credential, details = noDetails) => {
      const { waitedMs = 0, signal = exchange.signal } = details;
      lostMs += waitedMs;
      const recorder = new Recorder(exchange, trail, target, credential, details, parts);
      const { calls } = recorder;
      let attempt: Attempt | undefined;
      try {
        const wire = chooseWire(exchange, target);
        recorder.wire = wire;
        const { operation, request } = exchange;
        // Operation and request of an exchange match; the compiler cannot see it across a spread.
        attempt = {
          operation,
          exchange,
          target,
          credential,
          wire,
          request,
          headers: noHeaders,
          signal,
          calls,
          losses: exchange.edits === undefined ? [] : [...exchange.edits],
        } as Attempt;
        const renewable = target.renewable?.get(credential);
        const sent = renewable === undefined ? send(attempt) : sendRenewable(attempt, renewable, send);
        const reply = recordReply(await sent, recorder, lostMs);
        // Before the client has the ids: its next request can be at another process.
        const keeping = reply.stored === undefined ? undefined : recorder.keep(reply.stored);
        if (keeping !== undefined) await keeping;
        return reply;
      } catch (thrown) {
        const error = toGatewayError(thrown);
        const classified = attempt === undefined ? error : classifyFailure(attempt, error);
        lostMs += recorder.elapsedMs;
        recorder.fail(classified, hasLeft(signal));
        throw classified;
      }
    };
    return strategy(exchange, makeAttempt, order);
  };
}
