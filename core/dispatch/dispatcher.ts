import type { WireName } from '../canonical/wire.ts';
import type { Attempt, AttemptRecord, Ending, Exchange, Target, CallRecord } from '../contracts/exchange.ts';
import type { PluginInstance, Send, Strategy } from '../contracts/plugin.ts';
import type { Output, Reply } from '../contracts/reply.ts';
import type { Log } from '../contracts/services.ts';
import { toGatewayError, type GatewayError } from '../errors.ts';
import { hasLeft } from '../lanes/read-on.ts';
import { chooseWire } from './choose-wire.ts';
import { listPaidCalls, statusOfCalls } from './upstream-calls.ts';
import { reclassify } from './upstream-error.ts';

type Observe = (exchange: Exchange, attempt: AttemptRecord) => void;

/** Tells every plugin that wants to know of an attempt's end. An observer that throws harms nobody: it is logged. */
export const composeObserve = (plugins: readonly PluginInstance[], log: Log): Observe => {
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
};

export interface DispatchParts {
  readonly strategy: Strategy;
  /** In YAML order: the first is the outermost. */
  readonly interceptors: readonly ((next: Send) => Send)[];
  readonly lane: Send;
  readonly observe: Observe;
}

/** What the exchange is told while attempts are made. */
export interface Trail {
  /** An attempt is in flight: what `x-koine-*` headers say if they must go out now. */
  begin(target: Target): void;
  add(record: AttemptRecord): void;
}

export type Dispatch = (exchange: Exchange, trail: Trail) => Promise<Reply>;

const noHeaders = {};

/** The vendor's own view of a failure comes before the wire's. */
const classify = (attempt: Attempt, error: GatewayError): GatewayError => {
  if (error.vendor === undefined) return error;
  const speech = attempt.target.endpoint.speaks.find(({ operation, wire }) => operation === attempt.operation && wire === attempt.wire);
  const { target, exchange } = attempt;
  const failure = speech?.classify?.({ ...error.vendor, refused: { model: target.model, body: exchange.inbound.raw } });
  return failure === undefined || failure === error.failure ? error : reclassify(error, failure);
};

/** Composes strategy( interceptors( lane )), once at load, and keeps the record of every attempt. */
export const createDispatch = ({ strategy, interceptors, lane, observe }: DispatchParts): Dispatch => {
  const send = interceptors.reduceRight((next, intercept) => intercept(next), lane);

  return (exchange, trail) => {
    // What failed attempts took, and the pauses between them: waiting, not the gateway's own work.
    let lostMs = 0;
    return strategy(exchange, async (target, credential, { waitedMs, signal = exchange.signal } = {}) => {
      const startedAt = performance.now();
      lostMs += waitedMs ?? 0;
      const calls: CallRecord[] = [];
      let wire: WireName | undefined;
      trail.begin(target);
      const record = (facts: Partial<AttemptRecord>): void => {
        const attempt: AttemptRecord = Object.freeze({ target: target.id, credential, ...(wire === undefined ? {} : { wire }), lane: undefined, committed: false, status: 0, losses: [], ms: performance.now() - startedAt, ...(waitedMs === undefined ? {} : { waitedMs }), ...facts });
        trail.add(attempt);
        observe(exchange, attempt);
      };
      try {
        wire = chooseWire(exchange, target);
        // The operation of an exchange and its request belong together; the union cannot say so across a spread.
        const attempt = { operation: exchange.operation, exchange, target, credential, wire, request: exchange.request, headers: noHeaders, signal, calls, losses: [] } as Attempt;
        const reply = await send(attempt).catch((thrown: unknown) => {
          throw classify(attempt, toGatewayError(thrown));
        });
        const { lane: way, losses } = reply;
        let isOver = false;
        const conclude = (facts: Partial<AttemptRecord>): void => {
          if (!isOver) record({ lane: way, status: reply.status, losses, ...facts });
          isOver = true;
        };
        /** What is not delivered was answered all the same: it is neither undone nor free. */
        const cancel = (reason: GatewayError): void => {
          reply.cancel(reason);
          conclude({ failure: reason.failure, paid: listPaidCalls(calls, false) });
        };
        /** An interceptor may break an answer on its way, too. */
        const fail = (thrown: unknown): never => {
          const error = toGatewayError(thrown);
          reply.cancel(error);
          const paid = listPaidCalls(calls, false);
          conclude({ committed: true, ending: { reason: 'gateway_error', usage: paid[0], ...(paid.length > 1 ? { calls: paid } : {}), outputChars: 0, error } });
          throw error;
        };
        const deliver = async (output: Output): Promise<Ending> => {
          const ending = await Promise.try(() => reply.deliver(output)).catch(fail);
          // Where an interceptor answered by itself, nobody is paid for it.
          conclude({ committed: true, ending, ...(calls.length === 0 && ending.usage === undefined ? { paid: [] } : {}) });
          return ending;
        };
        return { ...reply, waitedMs: reply.waitedMs + lostMs, deliver, cancel };
      } catch (thrown) {
        const error = toGatewayError(thrown);
        lostMs += performance.now() - startedAt;
        const paid = listPaidCalls(calls, error.code === 'client_closed');
        record({ status: statusOfCalls(calls) || (error.vendor?.status ?? 0), failure: error.failure, ...(paid.length === 0 ? {} : { paid, left: hasLeft(signal) }) });
        throw error;
      }
    });
  };
};
