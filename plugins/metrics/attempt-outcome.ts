import type { AttemptRecord, EndingReason, Exchange, FailureClass, Outcome } from '../../core/index.ts';

type Result = Outcome['result'];

const byEnding: Readonly<Record<EndingReason, Result>> = {
  complete: 'ok',
  client_closed: 'client_closed',
  upstream_reset: 'upstream_error',
  idle_timeout: 'timeout',
  max_duration: 'timeout',
  upstream_error_event: 'upstream_error',
  truncated: 'upstream_error',
  gateway_error: 'gateway_error',
  drain: 'gateway_error',
};

const byFailure: Readonly<Record<FailureClass, Result>> = {
  unsuitable: 'client_error',
  transient: 'upstream_error',
  overloaded: 'upstream_error',
  'rate-limit': 'rate_limited',
  quota: 'rate_limited',
  credential: 'auth',
  'model-access': 'upstream_error',
  'model-gone': 'upstream_error',
  region: 'upstream_error',
  'caller-fault': 'client_error',
  timeout: 'timeout',
  unknown: 'upstream_error',
};

/** How an attempt ended; undefined where nobody was asked, because the target cannot carry the request. */
export const outcomeOf = ({ signal }: Pick<Exchange, 'signal'>, { failure, status, ending }: AttemptRecord): Result | undefined => {
  if (ending !== undefined) return byEnding[ending.reason];
  if (signal.aborted) return 'client_closed';
  if (failure === undefined) return 'ok';
  if (status === 0 && failure === 'unsuitable') return undefined;
  return status === 0 && failure === 'unknown' ? 'gateway_error' : byFailure[failure];
};

/** Which try it was: `first`, `retry` of a target that was tried before, or `fallback` to another. */
export const tryOf = ({ attempts }: Pick<Exchange, 'attempts'>, attempt: AttemptRecord): 'first' | 'retry' | 'fallback' => {
  const earlier = attempts.indexOf(attempt);
  if (earlier <= 0) return 'first';
  return attempts.slice(0, earlier).some(({ target }) => target === attempt.target) ? 'retry' : 'fallback';
};
