import type { Caller } from '../contracts/caller.ts';
import type { RequestHead } from '../contracts/exchange.ts';
import type { Reply } from '../contracts/attempt.ts';
import type { Dispatch } from '../dispatch/dispatcher.ts';
import { toGatewayError } from '../errors/gateway-error.ts';
import { hasLeft } from '../lanes/upstream/read-on.ts';
import { describeStart } from './access-log.ts';
import type { Admit } from './admit.ts';
import type { Enter, Identify } from './authenticate.ts';
import type { ClientConnection } from './client-connection.ts';
import { ExchangeState, isStreamed, type ExchangeRoute } from './exchange-state.ts';
import { describeLimits } from './limit-headers.ts';
import type { Overload } from './overload/overload.ts';
import { parseRequest, type ExchangeParts } from './read-request.ts';
import { LARGE_BYTES, waitForLargeStep } from '../services/large-steps.ts';
import { readExchange, type RewriteRequest } from './rewrite.ts';
import { restoreKept } from './request/restore-kept.ts';
import { OpenOutput, PlainOutput } from './plain-output.ts';
import { refuse } from './refuse.ts';
import { settle, type SettleParts } from './settle.ts';
import { createStreamOutput, type StreamOutput, type StreamParts } from './stream-output.ts';

/** The parts that all exchanges of a configuration share. */
export interface PipelineParts extends StreamParts, SettleParts, ExchangeParts {
  /** The reference count of the generation: an exchange holds one reference until it is settled. */
  readonly refCount?: { enter(): void; leave(): void } | undefined;
  readonly overload: Pick<Overload, 'enter' | 'leave' | 'hold' | 'openUpload'>;
  readonly identify: Identify;
  readonly enter: Enter;
  /** Undefined if no plugin rewrites requests. */
  readonly rewrite: RewriteRequest | undefined;
  readonly admit: Admit;
  readonly dispatch: Dispatch;
  /** Log a line at the start of every exchange too. */
  readonly logStart: boolean;
}

/**
 * Runs one exchange. Any error becomes a response in the wire of the route.
 * @param pathModel the model in the path of the request
 */
export type RunExchange = (
  head: RequestHead,
  route: ExchangeRoute,
  connection: ClientConnection,
  pathModel?: string,
) => Promise<void>;

/** The status of an exchange whose client left before anything was sent. */
const CLIENT_CLOSED = 499;

/** Records that the response has begun. */
const noteReply = (state: ExchangeState, reply: Reply, begun: boolean, now: number): void => {
  const { status, waitedMs } = reply;
  state.reply = reply;
  state.waitedMs = waitedMs;
  if (hasLeft(state.head.signal)) state.status = begun ? 200 : CLIENT_CLOSED;
  else {
    state.firstContentMs = now - state.head.startedAt;
    state.status = status;
  }
};

/**
 * Settles the exchange, then ends its response: the client gets the last byte only when the row and the log line of the
 * exchange are with the operating system.
 */
const conclude = (
  state: ExchangeState,
  connection: ClientConnection,
  parts: PipelineParts,
): Promise<unknown> | undefined => {
  let settling: Promise<unknown> | undefined;
  let sending: Promise<void> | undefined;
  try {
    settling = settle(state.head, state, connection.sent, parts);
  } finally {
    // The next request of the client can refer to the items.
    const writing = state.exchange === undefined ? undefined : parts.vendorState.written(state.exchange);
    sending = writing === undefined ? connection.end() : writing.then(() => connection.end());
  }
  return settling && sending ? Promise.all([settling, sending]) : (settling ?? sending);
};

const isForm = ({ headers }: RequestHead): boolean => /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

/** The bytes of the body; of a form, what stands for it. @throws GatewayError 400, 408, 413, 415, 429, 503 */
const receive = (
  state: ExchangeState,
  caller: Caller,
  connection: ClientConnection,
  { overload }: PipelineParts,
): Promise<Uint8Array> => {
  const { form } = state.route.client;
  if (form === undefined || (form.orJson === true && !isForm(state.head))) return connection.readBody(state.hold);
  return connection.readForm(form, overload.openUpload(caller), state.hold).then(({ raw, upload }) => {
    state.upload = upload;
    return raw;
  });
};

/** Gives back what the exchange holds. */
const release = ({ upload, hold }: ExchangeState): void => {
  void upload?.close();
  hold?.release();
};

/**
 * One client request from accept to settle: identify, enter, read, rewrite, select, admit, attempt, respond, settle
 * once. It awaits only the body, plugins that return a promise, the upstream, and a client that reads slowly.
 */
export function createPipeline(parts: PipelineParts): RunExchange {
  const { overload, clock, log } = parts;
  return async (head, route, connection, pathModel) => {
    const state = new ExchangeState(head, route, pathModel);
    let stream: StreamOutput | undefined;
    parts.refCount?.enter();
    if (parts.logStart) log.info(describeStart(head), 'exchange begins');
    try {
      state.entered = overload.enter();
      const identified = parts.identify(head);
      const caller = identified instanceof Promise ? await identified : identified;
      state.caller = caller;
      state.hold = overload.hold(caller);
      parts.enter(head, caller, state.admissions);
      const raw = await receive(state, caller, connection, parts);
      const isLarge = raw.byteLength > LARGE_BYTES;
      if (isLarge) await waitForLargeStep();
      const restoring = restoreKept(parts.vendorState, state, caller, parseRequest(state, raw));
      const inbound = restoring instanceof Promise ? await restoring : restoring;
      if (isLarge) await waitForLargeStep();
      const reading = readExchange(parts, state, caller, inbound);
      const exchange = (state.exchange = reading instanceof Promise ? await reading : reading);
      if (isStreamed(exchange)) stream = createStreamOutput(parts, exchange, connection, route.client);
      const admitting = parts.admit(exchange, state.admissions);
      if (admitting !== undefined) await admitting;
      if (state.admissions.length > 0) state.limits = describeLimits(state.admissions, route.client);

      if (isLarge) await waitForLargeStep();
      stream?.start(exchange, state);
      const reply = await parts.dispatch(exchange, state);
      noteReply(state, reply, connection.begun, clock.monotonic());
      const output = stream ?? (reply.isOpen === true ? new OpenOutput(connection) : new PlainOutput(connection));
      output.commit(exchange, state, reply);
      const delivering = reply.deliver(output);
      state.ending = delivering instanceof Promise ? await delivering : delivering;
      output.end(exchange, state);
    } catch (thrown) {
      const error = toGatewayError(head.signal.aborted ? head.signal.reason : thrown);
      stream?.stop();
      state.reply?.cancel(error);
      refuse(connection, state, error, stream, Math.floor(clock.now() / 1_000), log);
    } finally {
      const concluding = conclude(state, connection, parts);
      if (concluding !== undefined) await concluding;
      release(state);
      if (state.entered) overload.leave();
      parts.refCount?.leave();
    }
  };
}
