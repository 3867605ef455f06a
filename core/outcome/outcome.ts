import type { AttemptRecord, Ending, Exchange, Outcome } from '../contracts/exchange.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import { measureSpending } from './charges.ts';
import { resultOfError } from './results.ts';

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
export function createOutcome({
  exchange,
  status,
  attempts,
  ending,
  error,
  times,
  bytes,
  account,
}: OutcomeFacts): Outcome {
  const spending = measureSpending({ exchange, attempts, ending });
  const cache =
    exchange === undefined || spending.charges.length === 0 ? undefined : account?.(exchange, spending.charges);
  return Object.freeze({
    result:
      error === undefined && ending?.reason === 'unfinished' ? 'unfinished' : resultOfError(error ?? ending?.error),
    status,
    ...spending,
    ...(cache === undefined ? {} : { cache }),
    attempts,
    times,
    ...(bytes === undefined ? {} : { bytes }),
    ...(ending === undefined ? {} : { ending }),
    ...(error === undefined ? {} : { error }),
  });
}
