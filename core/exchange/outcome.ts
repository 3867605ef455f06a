import type { AttemptRecord, Ending, Exchange, Outcome } from '../contracts/exchange.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import type { ErrorCode, GatewayError } from '../errors.ts';
import { measureSpending } from './usage.ts';

const byCode: Partial<Record<ErrorCode, Outcome['result']>> = {
  invalid_api_key: 'auth',
  service_unavailable: 'auth',
  rate_limit_exceeded: 'rate_limited',
  client_closed: 'client_closed',
  internal_error: 'gateway_error',
  overloaded: 'shed',
  upstream_timeout: 'timeout',
  upstream_too_long: 'timeout',
};

/** Whose doing an error was. */
export const resultOf = (error: GatewayError | undefined): Outcome['result'] => {
  if (error === undefined) return 'ok';
  const known = byCode[error.code];
  if (known !== undefined) return known;
  if (error.code.startsWith('upstream_') || error.code === 'no_target_available') return 'upstream_error';
  return error.status < 500 ? 'client_error' : 'gateway_error';
};

export interface OutcomeFacts {
  /** undefined where the request was refused before it was understood. */
  readonly exchange: Exchange | undefined;
  readonly status: number;
  readonly attempts: readonly AttemptRecord[];
  readonly ending: Ending | undefined;
  readonly error: GatewayError | undefined;
  readonly times: Outcome['times'];
  readonly bytes?: Outcome['bytes'];
  /** Of the plugin that accounts for the prompt cache. */
  readonly account?: PluginInstance['account'];
}

/** What everyone settles on: frozen, made once. */
export const createOutcome = ({ exchange, status, attempts, ending, error, times, bytes, account }: OutcomeFacts): Outcome => {
  const spending = measureSpending({ exchange, attempts, ending });
  const cache = exchange === undefined || spending.charges.length === 0 ? undefined : account?.(exchange, spending.charges);
  return Object.freeze({
    result: error === undefined && ending?.reason === 'unfinished' ? 'unfinished' : resultOf(error ?? ending?.error),
    status,
    ...spending,
    ...(cache === undefined ? {} : { cache }),
    attempts,
    times,
    ...(bytes === undefined ? {} : { bytes }),
    ...(ending === undefined ? {} : { ending }),
    ...(error === undefined ? {} : { error }),
  });
};
