import type { Caller } from '../contracts/caller.ts';
import type { Outcome, RequestHead } from '../contracts/exchange.ts';
import { inputTotal } from '../canonical/usage.ts';

export interface LoggedExchange {
  readonly head: RequestHead;
  readonly outcome: Outcome;
  readonly caller: Caller | undefined;
  readonly model: string | undefined;
}

/** A client's own id, when it could be one: nothing else of a header reaches the log. */
const REQUEST_ID = /^[\w-]{1,128}$/;
const clientIdOf = ({ headers }: RequestHead): object => {
  const id = headers['x-request-id'];
  return id !== undefined && REQUEST_ID.test(id) ? { clientRequestId: id } : {};
};

/** Names and sentences may hold what a client wrote: a line stays a line. */
const MESSAGE_LENGTH = 500;
const FIELD_LENGTH = 128;
const MOST_LOSSES = 64;

const round = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/** Nano-dollars as micro-dollars: what a single call costs is not small in them, and not long. */
const toMicro = (nano: bigint): number => Number(nano) / 1_000;

/** The fields of the one line that every exchange leaves. Neither keys nor bodies are among them. */
export const describeExchange = ({ head, outcome, caller, model }: LoggedExchange): object => {
  const { usage, cost, charges, cache, attempts, times, ending } = outcome;
  const error = outcome.error ?? ending?.error;
  return {
    requestId: head.id,
    ...clientIdOf(head),
    route: head.route.path,
    wire: head.route.wire,
    operation: head.route.operation,
    address: head.address,
    status: outcome.status,
    outcome: outcome.result,
    ms: round(times.total),
    ownMs: round(times.own),
    ...(times.firstContent === undefined ? {} : { firstContentMs: round(times.firstContent) }),
    ...(caller === undefined ? {} : { key: caller.key, project: caller.project, organization: caller.organization }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { tokensIn: inputTotal(usage), tokensCached: usage.cacheRead, tokensOut: usage.output, ...(usage.source === 'estimated' ? { tokensEstimated: true } : {}) }),
    ...(cost === undefined ? {} : { costMicro: toMicro(cost) }),
    ...(charges.some((charge) => charge.cost === undefined) ? { unpriced: true } : {}),
    ...(cache === undefined ? {} : { cacheSavedMicro: toMicro(cache.saved), cacheLostMicro: toMicro(cache.lost) }),
    ...(ending === undefined ? {} : { ending: ending.reason }),
    ...(error === undefined ? {} : { code: error.code, errorMessage: error.message.slice(0, MESSAGE_LENGTH) }),
    attempts: attempts.map(({ target, credential, lane, status, failure, ms, waitedMs, losses }) => ({
      target,
      credential,
      status,
      ms: round(ms),
      ...(waitedMs === undefined ? {} : { waitedMs: round(waitedMs) }),
      ...(lane === undefined ? {} : { lane }),
      ...(failure === undefined ? {} : { failure }),
      ...(losses.length === 0 ? {} : { losses: losses.slice(0, MOST_LOSSES).map(({ field, kind }) => `${field.slice(0, FIELD_LENGTH)};${kind}`) }),
    })),
  };
};
