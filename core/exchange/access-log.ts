import type { AttemptRecord } from '../contracts/attempt-record.ts';
import type { Exchange, RequestHead, RouteInfo } from '../contracts/exchange.ts';
import type { EndedRequest, Outcome } from '../contracts/outcome.ts';
import { redactKnown } from '../canonical/text/known-secrets.ts';
import type { Loss } from '../canonical/loss.ts';
import { excerpt, redactKeys, redactPath } from '../canonical/text/redact.ts';
import { memoize, memoizeLast } from '../canonical/text/memoize.ts';
import { inputTotal } from '../canonical/usage.ts';
import { attemptResult, terminationOf } from '../outcome/results.ts';
import { isStreamed } from './exchange-state.ts';

// The line of an exchange is written directly as text, member by member. Each value is redacted by itself, mostly from
// a cache, so that the whole line is not scanned again.

/** What is accepted as a client's own request id. */
const REQUEST_ID = /^[\w-]{1,128}$/;

/** W3C trace context: version, trace id, parent id, flags. Version ff and ids of zeros are invalid. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
/** The trace id of a client's `traceparent`; undefined if it is invalid. */
export const readTraceId = (traceparent: string): string | undefined => TRACE_PARENT.exec(traceparent)?.[1];
/** The trace id of a request whose client has none: the 32 digits of its id. @param id `req_` and the digits */
export const ownTraceId = (id: string): string => id.slice('req_'.length);

/** Names and messages can contain text of the client, so they are cut, redacted, and free of control characters. */
const MESSAGE_LENGTH = 500;
const FIELD_LENGTH = 128;
const MAX_LOSSES = 64;

/** A name from the configuration or from a key service, as JSON. */
const nameOf = memoize((text) => JSON.stringify(redactKnown(text)));
/** A short text of the client, as JSON. */
const textOf = memoize((text) => JSON.stringify(excerpt(text, FIELD_LENGTH).replaceAll(/\p{Cc}/gu, '')));
/** A target is `<provider>/<model at the provider>`, and no provider has a slash in its name. */
const writeProvider = (target: string): string => `"provider":${nameOf(target.slice(0, target.indexOf('/')))}`;

// Parts that most exchanges of an address, of a key, of a model or of a target have in common. Texts of the client are
// already JSON there.
const clientOf = memoizeLast((address: string, agent: string | undefined) => {
  const client = `,"client_ip":${JSON.stringify(address)}`;
  return agent === undefined ? client : `${client},"ua":${agent}`;
});
const callerOf = memoizeLast(
  (key: string, project: string, organization: string) =>
    `,"key_alias":${nameOf(key)},"project":${nameOf(project)},"organization":${nameOf(organization)}`,
);

const round = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/** Nano-dollars as micro-dollars: in these, the cost of a single call is a number of a few digits. */
const toMicro = (nano: bigint): number => Number(nano) / 1_000;

/** The client, as far as the headers identify it, and the route. */
const writeHead = ({ id, headers, address }: RequestHead): string => {
  const { 'x-request-id': clientId, 'traceparent': trace, 'user-agent': agent } = headers;
  let text = `"request_id":"${id}"`;
  if (clientId !== undefined && REQUEST_ID.test(clientId)) text += `,"client_request_id":"${redactKeys(clientId)}"`;
  // Without a call in the common case.
  text += `,"trace_id":"${trace === undefined ? id.slice('req_'.length) : (readTraceId(trace) ?? ownTraceId(id))}"`;
  return text + clientOf(address, agent === undefined ? undefined : textOf(agent));
};
const writeRoute = ({ path, operation, wire }: RouteInfo): string =>
  `,"route":${nameOf(path)},"operation":"${operation}","wire_in":${nameOf(wire)}`;

/** Route, model and result, which most exchanges of a model have in common. */
const resultOf = memoizeLast(
  (
    model: string | undefined,
    route: RouteInfo,
    requested: string | undefined,
    stream: boolean,
    wireOut: string | undefined,
    target: string | undefined,
    status: number,
    result: string,
    term: string,
    ending: string | undefined,
  ) => {
    let text = writeRoute(route);
    if (requested !== undefined) text += `,"model_requested":${requested}`;
    if (model !== undefined) text += `,"model":${nameOf(model)},"stream":${stream}`;
    if (wireOut !== undefined) text += `,"wire_out":${nameOf(wireOut)}`;
    if (target !== undefined) text += `,${writeProvider(target)}`;
    text += `,"status":${status},"outcome":"${result}","term":"${term}"`;
    return ending === undefined ? text : `${text},"ending":"${ending}"`;
  },
);

/** The beginning of an attempt. */
const triedOf = memoizeLast((target: string, credential: string, result: string, status: number) => {
  const model = nameOf(target.slice(target.indexOf('/') + 1));
  const tried = `{${writeProvider(target)},"model":${model},"credential":${nameOf(credential)}`;
  return `${tried},"outcome":"${result}","status":${status}`;
});

const writeAttempt = (head: RequestHead, attempt: AttemptRecord): string => {
  const { target, credential, wire, lane, status, failure, ms, waitedMs, losses, upstreamRequestId } = attempt;
  let text = `${triedOf(target, credential, attemptResult(head, attempt), status)},"ms":${round(ms)}`;
  if (waitedMs !== undefined) text += `,"ms_waited":${round(waitedMs)}`;
  if (wire !== undefined) text += `,"wire":${nameOf(wire)}`;
  if (lane !== undefined) text += `,"lane":"${lane}"`;
  if (failure !== undefined) text += `,"failure":"${failure}"`;
  if (upstreamRequestId !== undefined) text += `,"upstream_request_id":"${upstreamRequestId}"`;
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

/** The fields of a request that is not an exchange, in addition. The query can contain a key. */
export function writeDirect({ method, path, route: { operation } }: RequestHead): string {
  const shown = operation === 'other' ? redactPath(path) : path;
  return `,"method":${textOf(method)},"path":${textOf(shown)}`;
}

/** The fields of the line at the start of an exchange, which operators can turn on. */
export const describeStart = (head: RequestHead): object =>
  JSON.parse(`{${writeHead(head)}${writeRoute(head.route)}}`) as object;

/**
 * The members of the access log line of an exchange, as JSON without braces. They never include keys or bodies. See
 * docs/reference/access-log.md.
 */
export function writeExchange({ head, outcome, caller, requested, exchange }: EndedRequest): string {
  const { attempts, times, bytes, ending, status, result, annotations } = outcome;
  const error = outcome.error ?? ending?.error;
  const last = attempts.at(-1);
  let text = writeHead(head);
  if (caller !== undefined) text += callerOf(caller.key, caller.project, caller.organization);
  const { user, tags } = exchange?.attribution ?? {};
  if (user !== undefined) text += `,"user":${JSON.stringify(user)}`;
  if (tags !== undefined) text += `,"tags":${JSON.stringify(tags)}`;
  text += resultOf(
    exchange?.model,
    head.route,
    requested === undefined ? undefined : textOf(requested),
    exchange !== undefined && isStreamed(exchange),
    last?.wire,
    last?.target,
    status,
    result,
    terminationOf(outcome),
    ending?.reason,
  );
  if (error !== undefined) {
    text += `,"code":"${error.code}","error_message":${JSON.stringify(excerpt(error.message, MESSAGE_LENGTH))}`;
  }
  text += `,"ms_total":${round(times.total)}`;
  if (times.firstContent !== undefined) text += `,"ms_ttft":${round(times.firstContent)}`;
  text += `,"ms_overhead":${round(times.own)}`;
  if (bytes !== undefined) text += `,"bytes_in":${bytes.received},"bytes_out":${bytes.sent}`;
  text += writeSpending(outcome, exchange);
  if (annotations?.log !== undefined) text += `,"fields":${JSON.stringify(annotations.log)}`;
  let tried = '';
  for (const attempt of attempts) tried += (tried === '' ? '' : ',') + writeAttempt(head, attempt);
  return `${text},"attempts":[${tried}]`;
}
