import type { AttemptRecord, EndingReason, Exchange, Outcome } from '../contracts/exchange.ts';
import type { FailureClass } from '../errors.ts';

type Result = Outcome['result'];

const byEnding: Readonly<Record<EndingReason, Result>> = {
  complete: 'ok',
  unfinished: 'unfinished',
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

/** Was anybody asked? A target that cannot carry the request is not. */
export const wasAsked = ({ status, failure }: Pick<AttemptRecord, 'status' | 'failure'>): boolean => status !== 0 || failure !== 'unsuitable';

/** How one attempt ended, in the words that exchanges have. */
export const attemptResult = ({ signal }: Pick<Exchange, 'signal'>, { failure, status, ending }: AttemptRecord): Result => {
  if (ending !== undefined) return byEnding[ending.reason];
  if (signal.aborted) return 'client_closed';
  if (failure === undefined) return 'ok';
  return status === 0 && failure === 'unknown' ? 'gateway_error' : byFailure[failure];
};
