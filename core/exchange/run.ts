import type { RequestHead } from '../contracts/exchange.ts';
import type { Framing } from '../contracts/framing.ts';
import type { Reply } from '../contracts/reply.ts';
import type { Dispatch } from '../dispatch/dispatcher.ts';
import { toGatewayError } from '../errors.ts';
import { hasLeft } from '../lanes/read-on.ts';
import { describeStart } from './access-log.ts';
import type { Admit } from './admit.ts';
import { attempt, awaitStream, type StreamTimes } from './await-reply.ts';
import { createClientStream, type ClientStream } from './client-stream.ts';
import { deliverPlain, deliverStream } from './deliver.ts';
import type { Door } from './door.ts';
import { describeLimits } from './limit-headers.ts';
import type { Overload } from './overload.ts';
import { prepareExchange, type PrepareParts } from './prepare.ts';
import { createProgress, isStreamed, type ExchangeRoute } from './progress.ts';
import { refuseExchange } from './refuse.ts';
import { settleExchange, type SettleParts } from './settle.ts';

/** What an exchange is made of that outlives it. */
export interface ExchangeParts extends PrepareParts, SettleParts {
  readonly overload: Pick<Overload, 'enter' | 'hold'>;
  readonly admit: Admit;
  readonly dispatch: Dispatch;
  framing(name: string): Framing | undefined;
  readonly stream: StreamTimes;
  /** Has the log a line of every exchange that begins? */
  readonly logStart: boolean;
}

/** The status of an exchange whose client has left before anything was sent. */
const CLIENT_CLOSED = 499;

/** Never throws: whatever goes wrong is answered in the wire of the route. */
export type RunExchange = (head: RequestHead, route: ExchangeRoute, door: Door) => Promise<void>;

/** One client request from accept to settle: identify, enter, decode, select, admit, attempt, deliver, settle once. */
export const createExchangeRunner = (parts: ExchangeParts): RunExchange => {
  const { overload, admit, dispatch, framing, stream: times, logStart, log, clock } = parts;
  return async (head, route, door) => {
    const progress = createProgress();
    const { client } = route;
    let stream: ClientStream | undefined;
    let leave: (() => void) | undefined;
    let reply: Reply | undefined;
    if (logStart) log.info(describeStart(head), 'exchange begins');
    try {
      leave = overload.enter();
      const exchange = await prepareExchange(parts, head, route, door, progress);
      progress.exchange = exchange;
      if (isStreamed(exchange)) stream = createClientStream(framing(exchange.framing), exchange, clock);
      const admission = admit(exchange, progress.admissions);
      if (admission !== undefined) await admission;
      if (progress.admissions.length > 0) progress.limits = describeLimits(progress.admissions, client);

      const pending = attempt(dispatch, exchange, progress);
      reply = stream === undefined ? await pending : await awaitStream(pending, exchange, progress, door, stream, times);
      progress.waitedMs = reply.waitedMs;
      if (hasLeft(head.signal)) progress.status = door.begun ? 200 : CLIENT_CLOSED;
      else {
        progress.firstContentMs = clock.monotonic() - head.startedAt;
        progress.status = reply.status;
      }
      if (stream === undefined) await deliverPlain(exchange, reply, progress, door);
      else await deliverStream(exchange, reply, progress, door, stream, client, times.keepaliveEvery);
    } catch (thrown) {
      const error = toGatewayError(head.signal.aborted ? head.signal.reason : thrown);
      reply?.cancel(error);
      refuseExchange(head, error, progress, door, client, stream, log);
    } finally {
      await settleExchange(head, progress, door, parts);
      progress.hold?.release();
      leave?.();
    }
  };
};
