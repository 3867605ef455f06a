import {
  GatewayError,
  type ErrorCode,
  type ErrorDetails,
  type Exchange,
  type FailureClass,
} from '../../../core/index.ts';
import type { Candidate } from './router.ts';

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

type Asked = Pick<Exchange, 'model' | 'targets' | 'caller'>;

/** Milliseconds until the first of them may answer; undefined where one can be used now: when it will do better is not known then. */
const nearest = (
  { caller }: Pick<Exchange, 'caller'>,
  candidates: readonly Candidate[],
  now: number,
): number | undefined => {
  if (candidates.length === 0) return undefined;
  const waitMs = Math.min(...candidates.map(({ health }) => health.comesBackAt(caller, now))) - now;
  return waitMs > 0 ? waitMs : undefined;
};

/** The SDK's own retries would only multiply ours. */
const noRetry = { 'x-should-retry': 'false' };

/** Everything was tried, and this failed last. */
export function exhaustedError(
  exchange: Pick<Exchange, 'caller'>,
  error: GatewayError,
  candidates: readonly Candidate[],
  now: number,
  adviseNoRetry: boolean,
): GatewayError {
  const retryAfterMs = error.retryAfterMs ?? nearest(exchange, candidates, now);
  return rework(error, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(adviseNoRetry ? { headers: { ...error.headers, ...noRetry } } : {}),
  });
}

/** The time is over. Says what was tried, without names from the inside. */
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

/** What vendors say of themselves is said in their place; the other classes are told by the gateway's own 503. */
const vendorCodes: Partial<Record<string, ErrorCode>> = {
  'rate-limit': 'upstream_rate_limit',
  'quota': 'upstream_quota',
  'overloaded': 'upstream_overloaded',
} satisfies Partial<Record<FailureClass, ErrorCode>>;

/** Nothing can be tried now: every target refuses calls, or none has a credential. The sentence is for the log; clients see that of the code. */
export function unavailableError(exchange: Asked, candidates: readonly Candidate[], now: number): GatewayError {
  const { model, targets, caller } = exchange;
  const retryAfterMs = nearest(exchange, candidates, now);
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  const reasons = candidates.map(({ health }) => health.outFor(caller, now));
  const [first] = reasons;
  const code = first !== undefined && reasons.every((reason) => reason === first) ? vendorCodes[first] : undefined;
  if (code !== undefined) return new GatewayError(code, undefined, wait);

  const missing = targets.flatMap(({ id, credentials, unavailable }) =>
    credentials.length > 0 ? [] : [`${id}: ${unavailable ?? 'no credential can be used'}`],
  );
  const out = candidates.map(
    ({ target, credential, health }) =>
      `${target.id} with ${credential}: ${health.whyOut(caller, now) ?? 'it was not tried'}`,
  );
  const failure: FailureClass = candidates.every(({ health }) => health.needsOperator(caller, now))
    ? 'credential'
    : 'overloaded';
  return new GatewayError(
    'no_target_available',
    `No provider of ${model} is available (${[...out, ...missing].join('; ')}).`,
    { failure, ...wait },
  );
}
