import type { AttemptRecord, Ending } from '../contracts/attempt-record.ts';
import type { Exchange } from '../contracts/exchange.ts';
import type { Outcome } from '../contracts/outcome.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import { measureSpending, type Spending } from './charges.ts';
import { resultOfError } from './results.ts';

export interface OutcomeFacts {
  /** undefined if the request was refused before it was decoded. */
  readonly exchange: Exchange | undefined;
  readonly status: number;
  /** Unix milliseconds. */
  readonly endedAt: number;
  readonly attempts: readonly AttemptRecord[];
  readonly ending: Ending | undefined;
  /** Usage and cost, if they were measured before. */
  readonly spending?: Spending | undefined;
  /** The vendor continues the response in the background. */
  readonly continues?: boolean;
  readonly error: GatewayError | undefined;
  readonly times: Outcome['times'];
  readonly bytes?: Outcome['bytes'];
  readonly annotations?: Outcome['annotations'] | undefined;
  /** The hook of the plugin that accounts for the prompt cache. */
  readonly account?: PluginInstance['account'];
}

/** Creates the outcome, once per exchange. Every admission is settled on it, so it is frozen. */
export function createOutcome({
  exchange,
  status,
  endedAt,
  attempts,
  ending,
  spending = measureSpending({ exchange, attempts, ending }),
  continues = false,
  error,
  times,
  bytes,
  account,
  annotations,
}: OutcomeFacts): Outcome {
  const cache =
    exchange === undefined || spending.charges.length === 0 ? undefined : account?.(exchange, spending.charges);
  return Object.freeze({
    result:
      error === undefined && ending?.reason === 'unfinished' ? 'unfinished' : resultOfError(error ?? ending?.error),
    status,
    endedAt,
    ...spending,
    ...(continues ? { continues } : {}),
    ...(cache === undefined ? {} : { cache }),
    ...(annotations === undefined ? {} : { annotations }),
    attempts,
    times,
    ...(bytes === undefined ? {} : { bytes }),
    ...(ending === undefined ? {} : { ending }),
    ...(error === undefined ? {} : { error }),
  });
}
