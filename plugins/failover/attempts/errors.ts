import {
  GatewayError,
  type ErrorCode,
  type ErrorDetails,
  type Exchange,
  type FailureClass,
} from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import type { Candidate } from './router.ts';

/** The same error with some details replaced. */
const withDetails = (error: GatewayError, details: ErrorDetails): GatewayError => {
  const { code, message, status, failure, cause, param, retryAfterMs, limits, headers, vendor } = error;
  return new GatewayError(code, message, {
    status,
    failure,
    cause,
    ...omitUndefined({ param, retryAfterMs, limits, headers, vendor }),
    ...details,
  });
};

/**
 * Milliseconds until the first candidate is expected to respond. undefined if one is ready now: when it will do better
 * is unknown.
 */
const recoversInMs = (
  { caller }: Pick<Exchange, 'caller'>,
  candidates: readonly Candidate[],
  now: number,
): number | undefined => {
  if (candidates.length === 0) return undefined;
  const waitMs = Math.min(...candidates.map(({ health }) => health.recoversAt(caller, now))) - now;
  return waitMs > 0 ? waitMs : undefined;
};

/** Retries by an SDK would multiply those of the gateway. */
const noRetry = { 'x-should-retry': 'false' };

/** Every candidate has been tried, and `error` is the last failure. */
export function exhaustedError(
  exchange: Pick<Exchange, 'caller'>,
  error: GatewayError,
  candidates: readonly Candidate[],
  now: number,
  adviseNoRetry: boolean,
): GatewayError {
  const retryAfterMs = error.retryAfterMs ?? recoversInMs(exchange, candidates, now);
  const headers = adviseNoRetry ? { ...error.headers, ...noRetry } : undefined;
  return withDetails(error, omitUndefined({ retryAfterMs, headers }));
}

/** The deadline has passed. The message counts the attempts, and names no target or credential. */
export function deadlineError(
  error: GatewayError,
  attempts: number,
  last: FailureClass | undefined,
  adviseNoRetry: boolean,
): GatewayError {
  const tried = attempts === 1 ? '1 attempt was made' : `${attempts} attempts were made`;
  const failed = last === undefined ? '' : `; the last that ended failed: ${last}`;
  return new GatewayError(error.code, `${error.message} ${tried}${failed}.`, adviseNoRetry ? { headers: noRetry } : {});
}

/** Failures that are passed on with the code of the vendor's error. Every other class is a 503 of the gateway. */
const vendorCodes: Partial<Record<string, ErrorCode>> = {
  'rate-limit': 'upstream_rate_limit',
  'quota': 'upstream_quota',
  'overloaded': 'upstream_overloaded',
} satisfies Partial<Record<FailureClass, ErrorCode>>;

/**
 * No attempt can be made: every target refuses calls, or none has a credential. The message is for the log; clients
 * get the default message of the code.
 */
export function unavailableError(
  exchange: Pick<Exchange, 'model' | 'targets' | 'caller'>,
  candidates: readonly Candidate[],
  now: number,
): GatewayError {
  const { model, targets, caller } = exchange;
  const wait = omitUndefined({ retryAfterMs: recoversInMs(exchange, candidates, now) });
  const failures = candidates.map(({ health }) => health.notReadyFailure(caller, now));
  const [first] = failures;
  const code = first !== undefined && failures.every((failure) => failure === first) ? vendorCodes[first] : undefined;
  if (code !== undefined) return new GatewayError(code, undefined, wait);

  const missing = targets.flatMap(({ id, credentials, unavailable }) =>
    credentials.length > 0 ? [] : [`${id}: ${unavailable ?? 'no credential can be used'}`],
  );
  if (candidates.length === 0 && missing.length < targets.length)
    missing.push('a plugin has left out all targets that could serve the request');
  const notReady = candidates.map(
    ({ target, credential, health }) =>
      `${target.id} with ${credential}: ${health.whyNotReady(caller, now) ?? 'it was not tried'}`,
  );
  const failure: FailureClass = candidates.every(({ health }) => health.needsOperator(caller, now))
    ? 'credential'
    : 'overloaded';
  return new GatewayError(
    'no_target_available',
    `No provider of ${model} is available (${[...notReady, ...missing].join('; ')}).`,
    { failure, ...wait },
  );
}
