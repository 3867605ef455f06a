import type { Operation, WireName } from '../canonical/wire.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ClientSide } from '../contracts/codec.ts';
import type { AttemptRecord, Caller, Ending, Exchange, RequestHead, Target } from '../contracts/exchange.ts';
import type { FrameWriter, Framing } from '../contracts/framing.ts';
import type { Reply } from '../contracts/reply.ts';
import type { Clock, Log } from '../contracts/services.ts';
import type { Dispatch } from '../dispatch/dispatcher.ts';
import { GatewayError, toGatewayError } from '../errors.ts';
import { newId } from '../lanes/lane.ts';
import { describeExchange } from './access-log.ts';
import { settleAll, type Admissions, type Admit } from './admit.ts';
import type { Door } from './door.ts';
import { estimateTokens } from './estimate.ts';
import type { Identify } from './identify.ts';
import { createKeepalive } from './keepalive.ts';
import { createOutcome } from './outcome.ts';
import { createInbound } from './receive.ts';
import { describeReply, streamHeaders } from './response-headers.ts';
import { selectModel } from './select.ts';

/** What an exchange is made of that outlives it. */
export interface ExchangeParts {
  readonly catalog: Catalog;
  readonly identify: Identify;
  readonly admit: Admit;
  readonly dispatch: Dispatch;
  framing(name: string): Framing | undefined;
  /** Milliseconds. */
  readonly stream: { readonly openAfter: number; readonly keepaliveEvery: number };
  readonly log: Log;
  readonly clock: Clock;
}

/** A route as an exchange sees it. */
export interface ExchangeRoute {
  readonly operation: Operation;
  readonly wire: WireName;
  readonly client: ClientSide<Operation>;
  readonly stream?: boolean;
  readonly versions?: readonly string[];
  /** From the path. */
  readonly model?: string;
}

/** What is known of one exchange so far: each phase adds to it, settle reads it. */
interface Progress {
  readonly attempts: AttemptRecord[];
  readonly admissions: Admissions;
  caller?: Caller;
  exchange?: Exchange;
  /** The target of the attempt in flight. */
  target?: Target;
  status: number;
  waitedMs: number;
  firstContentMs?: number;
  ending?: Ending;
  error?: GatewayError;
}

const isStreamed = (exchange: Exchange): boolean => 'stream' in exchange.request && exchange.request.stream;

/**
 * One client request from accept to settle: identify, decode, select, admit, attempt, deliver, settle once.
 * Never throws: whatever goes wrong is answered in the wire of the route.
 */
export const createExchangeRunner = (parts: ExchangeParts): ((head: RequestHead, route: ExchangeRoute, door: Door) => Promise<void>) => {
  const { catalog, clock, log } = parts;

  const prepare = async (head: RequestHead, route: ExchangeRoute, door: Door, progress: Progress): Promise<Exchange> => {
    const known = parts.identify(head);
    const caller = known instanceof Promise ? await known : known;
    progress.caller = caller;
    const raw = await door.readBody();
    const inbound = createInbound(raw, {
      headers: head.headers,
      query: head.query,
      ...(route.model === undefined ? {} : { model: route.model }),
      ...(route.stream === undefined ? {} : { stream: route.stream }),
      ...(route.versions === undefined ? {} : { versions: route.versions }),
    });
    const accepted = route.client.decodeRequest(inbound);
    const model = selectModel(catalog, accepted.model, caller, route.wire);
    const { operation } = route;
    const estimate = estimateTokens(operation, raw.byteLength, accepted.request, model.entry.capabilities);
    const facts = { operation, caller, inbound, model: model.id, request: accepted.request, framing: accepted.framing ?? 'sse', targets: model.targets, estimate, attempts: progress.attempts };
    // The route's codec made the request for this operation: the union holds, though the compiler cannot follow it.
    return { ...head, ...facts } as Exchange;
  };

  const headersOf = (head: RequestHead, progress: Progress, reply: Reply | undefined): Record<string, string> => {
    const { exchange, target, attempts, admissions } = progress;
    const facts = describeReply({
      model: exchange?.model ?? '',
      provider: reply?.target.provider ?? target?.provider ?? '',
      attempts: attempts.length + (target === undefined ? 0 : 1),
      losses: reply?.losses ?? [],
      ownMs: clock.monotonic() - head.startedAt - progress.waitedMs,
      ...(reply === undefined ? {} : { lane: reply.lane }),
    });
    return Object.assign({ 'x-request-id': head.id, 'request-id': head.id }, facts, ...admissions.map(({ headers }) => headers));
  };

  const writerOf = (exchange: Exchange): FrameWriter => {
    const writer = parts.framing(exchange.framing)?.writer;
    if (writer === undefined) throw new GatewayError('internal_error', `The framing ${exchange.framing} cannot be written to clients.`);
    return writer;
  };

  /** Waits for commit. A stream that takes longer than `openAfter` is opened meanwhile: the client sees life, and failover is still possible. */
  const awaitReply = async (exchange: Exchange, progress: Progress, door: Door): Promise<Reply> => {
    const pending = parts.dispatch(exchange, {
      begin: (target) => {
        progress.target = target;
      },
      add: (record) => {
        progress.attempts.push(record);
        delete progress.target;
      },
    });
    if (!isStreamed(exchange)) return pending;
    const { idle } = writerOf(exchange);
    const opened = setTimeout(() => {
      const contentType = parts.framing(exchange.framing)?.contentType ?? '';
      door.begin(200, { ...headersOf(exchange, progress, undefined), ...streamHeaders, 'content-type': contentType });
      void door.write(idle());
      beat.refresh();
    }, parts.stream.openAfter);
    const beat = setInterval(() => {
      if (door.begun) void door.write(idle());
    }, parts.stream.keepaliveEvery);
    try {
      return await pending;
    } finally {
      clearTimeout(opened);
      clearInterval(beat);
    }
  };

  const deliver = async (exchange: Exchange, reply: Reply, progress: Progress, door: Door, client: ClientSide<Operation>): Promise<void> => {
    progress.waitedMs = reply.waitedMs;
    progress.firstContentMs = clock.monotonic() - exchange.startedAt;
    progress.status = reply.status;
    const streamed = isStreamed(exchange);
    if (!door.begun) door.begin(reply.status, { ...headersOf(exchange, progress, reply), ...(streamed ? streamHeaders : {}), ...reply.headers });
    if (!streamed) {
      progress.ending = await reply.deliver(door);
      return door.end();
    }
    const writer = writerOf(exchange);
    const { keepalive } = client;
    const text = keepalive === undefined ? writer.idle() : writer.frame(keepalive.event, keepalive.data, false);
    const output = createKeepalive(door, () => text, parts.stream.keepaliveEvery);
    progress.ending = await reply.deliver(output);
    output.stop();
    door.end();
  };

  /** The error of a stream whose 200 has already gone out, in the client's wire. */
  const writeStreamError = (exchange: Exchange, error: GatewayError, door: Door, client: ClientSide<Operation>): void => {
    const writer = writerOf(exchange);
    let text = writer.open();
    let first = true;
    const context = { request: exchange.request, created: Math.floor(clock.now() / 1_000), newId, lose: () => {}, inputEstimate: exchange.estimate.inputTokens };
    client.encodeStream?.(context).push({ type: 'error', error }, (event, data) => {
      text += writer.frame(event, data, first);
      first = false;
    });
    void door.write(text + writer.close());
  };

  const refuse = (head: RequestHead, error: GatewayError, progress: Progress, door: Door, client: ClientSide<Operation>): void => {
    progress.error = error;
    if (error.code === 'internal_error') log.error({ requestId: head.id, error: error.cause ?? error }, 'an exchange failed inside the gateway');
    if (error.code === 'client_closed') {
      progress.status = error.status;
      return door.end();
    }
    if (door.begun) {
      progress.status = 200;
      if (progress.exchange !== undefined) writeStreamError(progress.exchange, error, door, client);
      return door.end();
    }
    const encoded = client.encodeError(error, { requestId: head.id });
    progress.status = encoded.status;
    const body = JSON.stringify(encoded.body);
    const facts = progress.exchange === undefined ? { 'x-request-id': head.id, 'request-id': head.id } : headersOf(head, progress, undefined);
    const limits = error.limits === undefined ? {} : client.encodeLimits?.(error.limits);
    door.begin(encoded.status, { ...facts, ...limits, ...encoded.headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) });
    void door.write(body);
    door.end();
  };

  const settle = async (head: RequestHead, progress: Progress): Promise<void> => {
    const { status, attempts, ending, error, caller, exchange, firstContentMs } = progress;
    const total = clock.monotonic() - head.startedAt;
    const own = (firstContentMs ?? total) - progress.waitedMs;
    const times = { total, own, ...(firstContentMs === undefined ? {} : { firstContent: firstContentMs }) };
    const outcome = createOutcome({ status, attempts, ending, error, times });
    if (progress.admissions.length > 0) await settleAll(progress.admissions, outcome, log);
    log.info(describeExchange({ head, outcome, caller, model: exchange?.model }), 'exchange');
  };

  return async (head, route, door) => {
    const progress: Progress = { attempts: [], admissions: [], status: 0, waitedMs: 0 };
    try {
      const exchange = await prepare(head, route, door, progress);
      progress.exchange = exchange;
      const admission = parts.admit(exchange, progress.admissions);
      if (admission !== undefined) await admission;
      const reply = await awaitReply(exchange, progress, door);
      await deliver(exchange, reply, progress, door, route.client);
    } catch (thrown) {
      refuse(head, toGatewayError(head.signal.aborted ? head.signal.reason : thrown), progress, door, route.client);
    }
    await settle(head, progress);
  };
};
