import type { EndingReason, Outcome } from '../contracts/exchange.ts';
import type { ErrorCode } from '../errors.ts';

/** How an exchange ended, in two letters: docs/access-log.md lists them. */
export type Termination = '--' | 'UF' | 'CD' | 'UR' | 'UT' | 'UE' | 'TR' | 'MD' | 'RL' | 'AU' | 'CE' | 'OV' | 'GE' | 'DR';

const byEnding: Readonly<Record<EndingReason, Termination>> = {
  complete: '--',
  unfinished: 'UF',
  client_closed: 'CD',
  upstream_reset: 'UR',
  idle_timeout: 'UT',
  max_duration: 'MD',
  upstream_error_event: 'UE',
  truncated: 'TR',
  gateway_error: 'GE',
  drain: 'DR',
};

const byCode: Partial<Readonly<Record<ErrorCode, Termination>>> = {
  upstream_reset: 'UR',
  upstream_unreachable: 'UR',
  upstream_tls: 'UR',
  upstream_truncated: 'TR',
  upstream_too_long: 'MD',
  shutting_down: 'DR',
};

const byResult: Readonly<Record<Outcome['result'], Termination>> = {
  ok: '--',
  unfinished: 'UF',
  client_error: 'CE',
  rate_limited: 'RL',
  auth: 'AU',
  upstream_error: 'UE',
  timeout: 'UT',
  client_closed: 'CD',
  gateway_error: 'GE',
  shed: 'OV',
};

/** The answer that ended says it best, then the error that stood in its place. */
export const terminationOf = ({ ending, error, result }: Pick<Outcome, 'ending' | 'error' | 'result'>): Termination => {
  if (error === undefined && ending !== undefined) return byEnding[ending.reason];
  return (error === undefined ? undefined : byCode[error.code]) ?? byResult[result];
};
