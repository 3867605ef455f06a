import type { AttemptRecord, EndingReason } from '../contracts/attempt-record.ts';
import type { Exchange } from '../contracts/exchange.ts';
import type { Outcome, OutcomeClass } from '../contracts/outcome.ts';
import type { AnyErrorCode, FailureClass } from '../errors/codes.ts';
import type { GatewayError } from '../errors/gateway-error.ts';

export type Result = Outcome['result'];

/** How an exchange ended, as a code of two letters. See docs/reference/access-log.md. */
export type Termination =
  | '--'
  | 'UF'
  | 'CD'
  | 'UR'
  | 'UT'
  | 'UE'
  | 'TR'
  | 'MD'
  | 'RL'
  | 'AU'
  | 'CE'
  | 'OV'
  | 'GE'
  | 'DR';

const terminations: Readonly<Record<Result, Termination>> = {
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

/** Result and termination of a response that had begun, by its ending. */
const endings: Readonly<Record<EndingReason, readonly [Result, Termination]>> = {
  complete: ['ok', '--'],
  unfinished: ['unfinished', 'UF'],
  refused: ['ok', '--'],
  client_closed: ['client_closed', 'CD'],
  upstream_reset: ['upstream_error', 'UR'],
  idle_timeout: ['timeout', 'UT'],
  max_duration: ['timeout', 'MD'],
  upstream_error_event: ['upstream_error', 'UE'],
  truncated: ['upstream_error', 'TR'],
  gateway_error: ['gateway_error', 'GE'],
  drain: ['gateway_error', 'DR'],
};

/** What the ledger has besides: `abandoned`, an exchange of a process that died. */
const classes: Readonly<Record<Result | 'abandoned', OutcomeClass>> = {
  ok: 'success',
  unfinished: 'success',
  client_error: 'client_error',
  auth: 'client_error',
  client_closed: 'client_error',
  rate_limited: 'limited',
  upstream_error: 'failure',
  timeout: 'failure',
  gateway_error: 'failure',
  shed: 'failure',
  abandoned: 'failure',
};

/** The one definition of success. Metrics, ledger, usage API, dashboard and alerts use it. */
export const classOf = (result: Result | 'abandoned'): OutcomeClass => classes[result];

interface CodeMeaning {
  readonly result?: Result;
  readonly termination?: Termination;
  /** The ending of a response that had begun. */
  readonly ending?: EndingReason;
}

/** Error codes whose meaning does not follow from their name or status. */
const codes: Partial<Readonly<Record<AnyErrorCode, CodeMeaning>>> = {
  invalid_api_key: { result: 'auth' },
  rate_limit_exceeded: { result: 'rate_limited' },
  client_closed: { result: 'client_closed', ending: 'client_closed' },
  internal_error: { result: 'gateway_error', ending: 'gateway_error' },
  overloaded: { result: 'shed' },
  shutting_down: { termination: 'DR', ending: 'drain' },
  upstream_timeout: { result: 'timeout', ending: 'idle_timeout' },
  upstream_too_long: { result: 'timeout', termination: 'MD', ending: 'max_duration' },
  upstream_truncated: { termination: 'TR', ending: 'truncated' },
  upstream_reset: { termination: 'UR', ending: 'upstream_reset' },
  upstream_unreachable: { termination: 'UR', ending: 'upstream_reset' },
  upstream_tls: { termination: 'UR', ending: 'upstream_reset' },
};

const failures: Readonly<Record<FailureClass, Result>> = {
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

/** The result of an exchange that ended with this error; without one it is `ok`. */
export function resultOfError(error: GatewayError | undefined): Result {
  if (error === undefined) return 'ok';
  const known = codes[error.code]?.result;
  if (known !== undefined) return known;
  if (error.code.startsWith('upstream_') || error.code === 'no_target_available') return 'upstream_error';
  return error.status < 500 ? 'client_error' : 'gateway_error';
}

/** The result of a request that is not an exchange, by the status of its response. */
export function resultOfStatus(status: number): Result {
  if (status < 400) return 'ok';
  if (status === 401) return 'auth';
  if (status === 429) return 'rate_limited';
  return status < 500 ? 'client_error' : 'gateway_error';
}

/** The result of one attempt, in the terms of exchanges. */
export function attemptResult({ signal }: Pick<Exchange, 'signal'>, attempt: AttemptRecord): Result {
  const { failure, status, ending } = attempt;
  if (ending !== undefined) return endings[ending.reason][0];
  if (signal.aborted) return 'client_closed';
  if (failure === undefined) return 'ok';
  return status === 0 && failure === 'unknown' ? 'gateway_error' : failures[failure];
}

/** Whether anything was sent to the target. A target that cannot serve the request is not called. */
export const wasSent = ({ status, failure }: Pick<AttemptRecord, 'status' | 'failure'>): boolean =>
  status !== 0 || failure !== 'unsuitable';

/** By the ending of a response that began, else by the error. */
export function terminationOf({ ending, error, result }: Pick<Outcome, 'ending' | 'error' | 'result'>): Termination {
  if (error === undefined && ending !== undefined) return endings[ending.reason][1];
  return (error === undefined ? undefined : codes[error.code]?.termination) ?? terminations[result];
}

/** The ending of a response that had begun, by the error that ended it. */
export const endingOfError = ({ code }: GatewayError): EndingReason => codes[code]?.ending ?? 'upstream_error_event';
