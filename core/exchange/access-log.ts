import type { Caller } from '../contracts/caller.ts';
import type { AttemptRecord, Exchange, Outcome, RequestHead } from '../contracts/exchange.ts';
import { excerpt, redactKeys } from '../canonical/redact.ts';
import { inputTotal } from '../canonical/usage.ts';
import { attemptResult } from './attempt-result.ts';
import { terminationOf } from './termination.ts';

export interface LoggedExchange {
  readonly head: RequestHead;
  readonly outcome: Outcome;
  readonly caller: Caller | undefined;
  /** The model as the client named it. */
  readonly requested: string | undefined;
  /** undefined where the request was refused before it was understood. */
  readonly exchange: Exchange | undefined;
}

/** A client's own id, when it could be one. */
const REQUEST_ID = /^[\w-]{1,128}$/;
/** Of the W3C trace context: version, trace id, parent id, flags. */
const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** Names and sentences may hold what a client wrote: no key stands in a line, and a line stays a line. */
const MESSAGE_LENGTH = 500;
const FIELD_LENGTH = 128;
const MOST_LOSSES = 64;
const shorten = (text: string): string => excerpt(text, FIELD_LENGTH).replaceAll(/\p{Cc}/gu, '');

const round = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/** Nano-dollars as micro-dollars: what a single call costs is not small in them, and not long. */
const toMicro = (nano: bigint): number => Number(nano) / 1_000;

/** What the headers say of who asks, and nothing else of them. */
const describeClient = ({ headers, address }: RequestHead): object => {
  const { 'x-request-id': id, 'traceparent': trace, 'user-agent': agent } = headers;
  const traceId = trace === undefined ? undefined : TRACE_PARENT.exec(trace)?.[1];
  return {
    ...(id !== undefined && REQUEST_ID.test(id) ? { client_request_id: redactKeys(id) } : {}),
    ...(traceId === undefined ? {} : { trace_id: redactKeys(traceId) }),
    client_ip: address,
    ...(agent === undefined ? {} : { ua: shorten(agent) }),
  };
};

/** A target is `<provider>/<model at the provider>`, and no provider has a slash in its name. */
const splitTarget = (target: string): readonly [provider: string, model: string] => {
  const slash = target.indexOf('/');
  return [target.slice(0, slash), target.slice(slash + 1)];
};

const describeAttempt = (head: RequestHead, attempt: AttemptRecord): object => {
  const { target, credential, wire, lane, status, failure, ms, waitedMs, losses } = attempt;
  const [provider, model] = splitTarget(target);
  return {
    provider,
    model,
    credential,
    outcome: attemptResult(head, attempt),
    status,
    ms: round(ms),
    ...(waitedMs === undefined ? {} : { ms_waited: round(waitedMs) }),
    ...(wire === undefined ? {} : { wire }),
    ...(lane === undefined ? {} : { lane }),
    ...(failure === undefined ? {} : { failure }),
    ...(losses.length === 0 ? {} : { losses: losses.slice(0, MOST_LOSSES).map(({ field, kind }) => `${excerpt(field, FIELD_LENGTH)};${kind}`) }),
  };
};

/** What the exchange went to: the last word is that of the last attempt. */
const describeWay = ({ attempts }: Outcome): object => {
  const last = attempts.at(-1);
  if (last === undefined) return {};
  return { ...(last.wire === undefined ? {} : { wire_out: last.wire }), provider: splitTarget(last.target)[0] };
};

const describeSpending = ({ usage, cost, charges, cache }: Outcome, exchange: Exchange | undefined): object => ({
  ...(usage === undefined ? {} : { tokens_in: inputTotal(usage), tokens_out: usage.output, tokens_cache: usage.cacheRead, ...(usage.source === 'estimated' ? { tokens_estimated: true } : {}) }),
  ...(cost === undefined ? {} : { cost_micro: toMicro(cost) }),
  ...(charges.some((charge) => charge.cost === undefined) ? { unpriced: true } : {}),
  ...(cache === undefined ? {} : { cache_saved_micro: toMicro(cache.saved), cache_lost_micro: toMicro(cache.lost) }),
  ...(exchange === undefined ? {} : { reserved: exchange.estimate.inputTokens + exchange.estimate.outputTokens, actual: usage === undefined ? 0 : inputTotal(usage) + usage.output }),
});

const describeHead = (head: RequestHead): object => ({ request_id: head.id, ...describeClient(head) });
const describeRoute = ({ route }: RequestHead): object => ({ route: route.path, operation: route.operation, wire_in: route.wire });

/** The line of an exchange that begins, for operators who want one. */
export const describeStart = (head: RequestHead): object => ({ ...describeHead(head), ...describeRoute(head) });

/** The fields of the one line that every exchange leaves: docs/access-log.md. Neither keys nor bodies are among them. */
export const describeExchange = ({ head, outcome, caller, requested, exchange }: LoggedExchange): object => {
  const { attempts, times, bytes, ending } = outcome;
  const error = outcome.error ?? ending?.error;
  return {
    ...describeHead(head),
    ...(caller === undefined ? {} : { key_alias: caller.key, project: caller.project, organization: caller.organization }),
    ...describeRoute(head),
    ...(requested === undefined ? {} : { model_requested: shorten(requested) }),
    ...(exchange === undefined ? {} : { model: exchange.model }),
    ...describeWay(outcome),
    status: outcome.status,
    outcome: outcome.result,
    term: terminationOf(outcome),
    ...(ending === undefined ? {} : { ending: ending.reason }),
    ...(error === undefined ? {} : { code: error.code, error_message: excerpt(error.message, MESSAGE_LENGTH) }),
    ms_total: round(times.total),
    ...(times.firstContent === undefined ? {} : { ms_ttft: round(times.firstContent) }),
    ms_overhead: round(times.own),
    ...(bytes === undefined ? {} : { bytes_in: bytes.received, bytes_out: bytes.sent }),
    ...describeSpending(outcome, exchange),
    attempts: attempts.map((attempt) => describeAttempt(head, attempt)),
  };
};
