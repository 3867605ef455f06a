import type { Finish } from '../canonical/finish.ts';
import type { Loss } from '../canonical/loss.ts';
import type { Usage } from '../canonical/usage.ts';
import type { WireName } from '../canonical/wire.ts';
import type { FailureClass } from '../errors/codes.ts';
import type { GatewayError } from '../errors/gateway-error.ts';

/**
 * How an attempt is carried out. `native`: client and target use the same wire, and the bytes are passed on with a few
 * edits. `translated`: decoded to the canonical form and encoded again.
 */
export type Lane = 'native' | 'translated';

/** One HTTP request to an upstream. */
export interface CallRecord {
  /** HTTP status; 0 until the response headers arrive. */
  status: number;
  /** Milliseconds that the attempt had waited for upstreams when the response headers arrived. */
  headersMs?: number;
  /** The vendor's id of the call, from its response headers. */
  requestId?: string;
  /** Usage reported so far, if nothing of its response has been delivered. */
  usage?: Usage;
}

/** A target that the strategy did not call, although it comes before the one that it called. */
export interface SkippedTarget {
  /** Id of the target. */
  readonly target: string;
  readonly credential: string;
  /** A sentence without a full stop: `its circuit is open (server)`. */
  readonly reason: string;
}

/** The result of an attempt. */
export interface AttemptRecord {
  /** Id of the target. */
  readonly target: string;
  readonly credential: string;
  /** Wire towards the target; absent if the target has no wire for the request. */
  readonly wire?: WireName;
  readonly lane: Lane | undefined;
  /** Whether content has been sent to the client. No other attempt follows a committed one. */
  readonly committed: boolean;
  /** Upstream HTTP status; 0 if none arrived. */
  readonly status: number;
  readonly failure?: FailureClass;
  /** How delivery ended; absent if the attempt failed before commit. */
  readonly ending?: Ending;
  /** The vendor's id of the call; of several calls, of the last one. Absent: the response had none. */
  readonly upstreamRequestId?: string;
  /** When it began, in monotonic milliseconds, as `startedAt` of the request. */
  readonly startedAt?: number;
  /** Duration in milliseconds. */
  readonly ms: number;
  /** Milliseconds for which the strategy delayed the attempt. */
  readonly waitedMs?: number;
  /** Milliseconds that it had waited for upstreams when the last response headers arrived. Absent: none arrived. */
  readonly headersMs?: number;
  /** The targets that come before this one, and were not called for this attempt. */
  readonly skipped?: readonly SkippedTarget[];
  readonly losses: readonly Loss[];
  /**
   * For an attempt without an ending: the calls that are billed, each with the usage it had reported. These are calls
   * whose response had started with a good status, and calls in flight when the client disconnected.
   */
  readonly billedCalls?: readonly (Usage | undefined)[];
  /**
   * The client disconnected during the attempt: the usage of `billedCalls` after their last report is unknown.
   */
  readonly clientLeft?: boolean;
}

/** Why the delivery of a response ended. The `term` of the access log. */
export type EndingReason =
  | 'complete'
  /** The call has ended, but the vendor continues to generate (a background response). */
  | 'unfinished'
  /** A guard of a plugin refused the content. */
  | 'refused'
  | 'client_closed'
  | 'upstream_reset'
  | 'idle_timeout'
  | 'max_duration'
  | 'upstream_error_event'
  | 'truncated'
  | 'gateway_error'
  | 'drain';

/** How the delivery of a response ended. */
export interface Ending {
  readonly reason: EndingReason;
  /** Undefined: the provider reported none. */
  readonly usage: Usage | undefined;
  /** If several calls made one response: the usage each of them reported. */
  readonly calls?: readonly (Usage | undefined)[];
  readonly finish?: Finish;
  /** Model name reported by the provider. */
  readonly model?: string;
  readonly error?: GatewayError;
  /** The client had disconnected, or a guard refused, but the response was read to its end: its usage is final. */
  readonly readToEnd?: boolean;
  /** Weight of the delivered output (a Latin character is 1). Usage is estimated from it if missing. */
  readonly outputChars: number;
  /** The response contained signs of reasoning. */
  readonly reasoned?: boolean;
  /** Ids of objects that the vendor stores. */
  readonly stored?: readonly string[];
  /** Milliseconds of the delivery that were spent waiting for the upstream and the client. */
  readonly waitedMs?: number;
}
