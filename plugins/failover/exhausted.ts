import { GatewayError, type ErrorDetails, type Exchange, type FailureClass } from '../../core/index.ts';
import type { Candidate } from './arrange.ts';
import { isRefusal } from './reactions.ts';
import { readyAt, whyOut, type Health } from './health.ts';

/** The same error with other details. */
const rework = (error: GatewayError, details: ErrorDetails): GatewayError => {
  const { code, message, status, failure, param, retryAfterMs, limits, headers, vendor } = error;
  return new GatewayError(code, message, {
    status,
    failure,
    cause: error.cause,
    ...(param === undefined ? {} : { param }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(limits === undefined ? {} : { limits }),
    ...(headers === undefined ? {} : { headers }),
    ...(vendor === undefined ? {} : { vendor }),
    ...details,
  });
};

/** Milliseconds until the first of them can be used; undefined where one can be now: nothing is known then of when it will do better. */
const nearest = (candidates: readonly Candidate[], now: number): number | undefined => {
  if (candidates.length === 0) return undefined;
  const waitMs = Math.min(...candidates.map(({ health }) => readyAt(health, now))) - now;
  return waitMs > 0 ? waitMs : undefined;
};

/** The SDK's own retries would only multiply ours. */
const noRetry = { 'x-should-retry': 'false' };

/** Everything was tried, and this failed last. */
export const exhaustedError = (error: GatewayError, candidates: readonly Candidate[], now: number, adviseNoRetry: boolean): GatewayError => {
  const retryAfterMs = error.retryAfterMs ?? nearest(candidates, now);
  return rework(error, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(adviseNoRetry ? { headers: { ...error.headers, ...noRetry } } : {}),
  });
};

/** The time is over. Says what was tried, without names from the inside. */
export const deadlineError = (reason: unknown, attempts: number, last: FailureClass | undefined, adviseNoRetry: boolean): unknown => {
  if (!GatewayError.is(reason)) return reason;
  const tried = attempts === 1 ? '1 attempt was made' : `${attempts} attempts were made`;
  return new GatewayError(reason.code, `${reason.message} ${tried}${last === undefined ? '' : `; the last that ended failed: ${last}`}.`, adviseNoRetry ? { headers: noRetry } : {});
};

/** What no pause cures: asking again is no use before an operator has done something. */
const isLasting = ({ account, circuit, cooling }: Health, now: number): boolean =>
  account.state !== 'closed' || (circuit.state !== 'closed' && isRefusal(circuit.reason)) || (cooling.until > now && cooling.reason === ('quota' satisfies FailureClass));

/** Nothing can be tried: every target rests, or none has a credential. The sentence is for the log; clients see that of the code. */
export const unavailableError = ({ model, targets }: Pick<Exchange, 'model' | 'targets'>, candidates: readonly Candidate[], now: number): GatewayError => {
  const missing = targets.flatMap(({ id, credentials, unavailable }) => (credentials.length > 0 ? [] : [`${id}: ${unavailable ?? 'no credential can be used'}`]));
  const resting = candidates.map(({ target, credential, health }) => `${target.id} with ${credential}: ${whyOut(health, now) ?? 'it was not tried'}`);
  const failure: FailureClass = candidates.every(({ health }) => isLasting(health, now)) ? 'credential' : 'overloaded';
  const retryAfterMs = nearest(candidates, now);
  return new GatewayError('no_target_available', `No provider of ${model} is available (${[...resting, ...missing].join('; ')}).`, { failure, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
};
