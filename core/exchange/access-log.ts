import type { Caller } from '../contracts/caller.ts';
import type { AttemptRecord, Exchange, Outcome, RequestHead } from '../contracts/exchange.ts';
import { redactKnown } from '../canonical/text/known-secrets.ts';
import type { Loss } from '../canonical/loss.ts';
import { excerpt, redactKeys } from '../canonical/text/redact.ts';
import { memoize } from '../canonical/memoize.ts';
import { inputTotal } from '../canonical/usage.ts';
import { attemptResult } from '../outcome/results.ts';
import { terminationOf } from '../outcome/results.ts';

// The line of an exchange is written straight to text, member by member. Each text in it is redacted by itself, and
// most are cached, so that the whole line need not be scanned again.

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
const MAX_LOSSES = 64;

/** A name of the configuration, or of a key service. */
const nameOf = memoize((text) => JSON.stringify(redactKnown(text)));
/** A few words of a client. */
const wordsOf = memoize((text) => JSON.stringify(excerpt(text, FIELD_LENGTH).replaceAll(/\p{Cc}/gu, '')));
/** A target is `<provider>/<model at the provider>`, and no provider has a slash in its name. */
const providerOf = memoize((target) => nameOf(target.slice(0, target.indexOf('/'))));
const modelOf = memoize((target) => nameOf(target.slice(target.indexOf('/') + 1)));

const round = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/** Nano-dollars as micro-dollars: what a single call costs is not small in them, and not long. */
const toMicro = (nano: bigint): number => Number(nano) / 1_000;

/** The client, as far as the headers identify it, and the route. */
const writeHead = ({ id, headers, address }: RequestHead): string => {
  const { 'x-request-id': clientId, 'traceparent': trace, 'user-agent': agent } = headers;
  let text = `"request_id":"${id}"`;
  if (clientId !== undefined && REQUEST_ID.test(clientId)) text += `,"client_request_id":"${redactKeys(clientId)}"`;
  const traceId = trace === undefined ? undefined : TRACE_PARENT.exec(trace)?.[1];
  if (traceId !== undefined) text += `,"trace_id":"${redactKeys(traceId)}"`;
  text += `,"client_ip":${JSON.stringify(address)}`;
  if (agent !== undefined) text += `,"ua":${wordsOf(agent)}`;
  return text;
};
const writeRoute = ({ route: { path, operation, wire } }: RequestHead): string =>
  `,"route":${nameOf(path)},"operation":"${operation}","wire_in":${nameOf(wire)}`;

const writeAttempt = (head: RequestHead, attempt: AttemptRecord): string => {
  const { target, credential, wire, lane, status, failure, ms, waitedMs, losses } = attempt;
  const result = attemptResult(head, attempt);
  let text = `{"provider":${providerOf(target)},"model":${modelOf(target)},"credential":${nameOf(credential)}`;
  text += `,"outcome":"${result}","status":${status},"ms":${round(ms)}`;
  if (waitedMs !== undefined) text += `,"ms_waited":${round(waitedMs)}`;
  if (wire !== undefined) text += `,"wire":${nameOf(wire)}`;
  if (lane !== undefined) text += `,"lane":"${lane}"`;
  if (failure !== undefined) text += `,"failure":"${failure}"`;
  if (losses.length > 0) text += `,"losses":${JSON.stringify(losses.slice(0, MAX_LOSSES).map(writeLoss))}`;
  return `${text}}`;
};
const writeLoss = ({ field, kind }: Loss): string => `${excerpt(field, FIELD_LENGTH)};${kind}`;

const writeSpending = ({ usage, cost, charges, cache }: Outcome, exchange: Exchange | undefined): string => {
  let text = '';
  const input = usage === undefined ? 0 : inputTotal(usage);
  if (usage !== undefined) {
    text += `,"tokens_in":${input},"tokens_out":${usage.output},"tokens_cache":${usage.cacheRead}`;
    if (usage.source === 'estimated') text += ',"tokens_estimated":true';
  }
  if (cost !== undefined) text += `,"cost_micro":${toMicro(cost)}`;
  if (charges.some((charge) => charge.cost === undefined)) text += ',"unpriced":true';
  if (cache !== undefined) {
    text += `,"cache_saved_micro":${toMicro(cache.saved)},"cache_lost_micro":${toMicro(cache.lost)}`;
  }
  if (exchange === undefined) return text;
  const { inputTokens, outputTokens } = exchange.estimate;
  return `${text},"reserved":${inputTokens + outputTokens},"actual":${usage === undefined ? 0 : input + usage.output}`;
};

/** The fields of an exchange that begins, for operators who want a line of it. */
export const describeStart = (head: RequestHead): object =>
  JSON.parse(`{${writeHead(head)}${writeRoute(head)}}`) as object;

/**
 * The members of the one line that every exchange leaves, as JSON without braces: docs/access-log.md. Neither keys nor
 * bodies are among them.
 */
export function writeExchange({ head, outcome, caller, requested, exchange }: LoggedExchange): string {
  const { attempts, times, bytes, ending, status, result } = outcome;
  const error = outcome.error ?? ending?.error;
  const last = attempts.at(-1);
  let text = writeHead(head);
  if (caller !== undefined) {
    const { key, project, organization } = caller;
    text += `,"key_alias":${nameOf(key)},"project":${nameOf(project)},"organization":${nameOf(organization)}`;
  }
  text += writeRoute(head);
  if (requested !== undefined) text += `,"model_requested":${wordsOf(requested)}`;
  if (exchange !== undefined) text += `,"model":${nameOf(exchange.model)}`;
  if (last?.wire !== undefined) text += `,"wire_out":${nameOf(last.wire)}`;
  if (last !== undefined) text += `,"provider":${providerOf(last.target)}`;
  text += `,"status":${status},"outcome":"${result}","term":"${terminationOf(outcome)}"`;
  if (ending !== undefined) text += `,"ending":"${ending.reason}"`;
  if (error !== undefined) {
    text += `,"code":"${error.code}","error_message":${JSON.stringify(excerpt(error.message, MESSAGE_LENGTH))}`;
  }
  text += `,"ms_total":${round(times.total)}`;
  if (times.firstContent !== undefined) text += `,"ms_ttft":${round(times.firstContent)}`;
  text += `,"ms_overhead":${round(times.own)}`;
  if (bytes !== undefined) text += `,"bytes_in":${bytes.received},"bytes_out":${bytes.sent}`;
  text += writeSpending(outcome, exchange);
  return `${text},"attempts":[${attempts.map((attempt) => writeAttempt(head, attempt)).join(',')}]`;
}
