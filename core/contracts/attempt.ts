import type { CallHead, PartKind } from '../canonical/event.ts';
import type { Loss } from '../canonical/loss.ts';
import type { Headers, Operation, WireName } from '../canonical/wire.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { RequestOf } from './codec-context.ts';
import type { Exchange, ExchangeOf } from './exchange.ts';
import type { Target } from './target.ts';
import type { CallRecord, Ending, Lane, SkippedTarget } from './attempt-record.ts';

/** An attempt: sending the exchange to one target with one credential. Usually one upstream call. */
export interface AttemptOf<O extends Operation> {
  readonly operation: O;
  readonly exchange: ExchangeOf<O>;
  readonly target: Target;
  /** Id of the credential. */
  readonly credential: string;
  /** Wire towards the target. */
  readonly wire: WireName;
  /** An interceptor that replaces this object moves the attempt to the translated lane (compared by identity). */
  readonly request: RequestOf<O>;
  /** Additional upstream headers, e.g. `traceparent`. */
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** Upstream calls in the order in which they were sent. Appended to by the lane. */
  readonly calls: CallRecord[];
  /** Losses of the translation so far. Appended to by the lane. */
  readonly losses: Loss[];
}
/** A union, so that `attempt.operation === 'generate'` narrows `attempt.request` without a cast. */
export type Attempt = { [O in Operation]: AttemptOf<O> }[Operation];

/**
 * A response that has committed. A `Send` resolves with it at commit (a whole body, or the first content or tool delta)
 * and rejects with GatewayError before it, so that failover is a loop with a `try`. Frames before the commit are
 * buffered and delivered first.
 */
export interface Reply {
  readonly status: number;
  readonly lane: Lane;
  readonly target: Target;
  /** Losses known at commit: all of them for a plain response, those of the request for a stream. */
  readonly losses: readonly Loss[];
  /** content-type and other headers of the body. */
  readonly headers: Headers;
  /**
   * The body arrives after commit, and has no frames in which an error could be written: an ending with an error cuts
   * the connection. Absent: the body is whole, or a stream of frames.
   */
  readonly isOpen?: true;
  /** Milliseconds until commit that were spent waiting for the upstream. */
  readonly waitedMs: number;
  /** Ids of objects that the vendor stores, as far as known at commit. */
  readonly stored?: readonly string[] | undefined;
  /**
   * Writes the response. Never rejects: a failure is written in the client's wire and reported in the ending. Returns
   * no promise if nothing had to be awaited.
   */
  deliver(output: Output): Ending | Promise<Ending>;
  /** Drops the response and releases the upstream connection. */
  cancel(reason: GatewayError): void;
}

/** A response of a plugin's own, in place of one of an upstream. Its status is 200. */
export interface Answer {
  /** One of the targets of the exchange: the response is said to come from it. */
  readonly target: Target;
  readonly lane: Lane;
  readonly losses: readonly Loss[];
  readonly contentType: string;
  /** The whole body in the wire of the client; of a stream, all of its frames. */
  readonly body: string | Uint8Array;
  /** Further headers. */
  readonly headers?: Headers;
}

/** The destination of a response. Receives whole frames only. Returns a promise only while the socket is full. */
export interface Output {
  /** @param isLast nothing follows: the bytes can be kept until the exchange is settled */
  write(bytes: string | Uint8Array, isLast?: boolean): Promise<void> | undefined;
}

/** Carries out one attempt. Interceptors wrap it. */
export type Send = (attempt: Attempt) => Promise<Reply>;

/**
 * Starts an attempt; passed to the strategy. Resolves at commit.
 * @throws GatewayError if nothing of the response has been sent to the client: another attempt is possible
 */
export type MakeAttempt = (target: Target, credential: string, details?: AttemptDetails) => Promise<Reply>;

/** Optional details of an attempt. */
export interface AttemptDetails {
  /** Milliseconds for which the strategy delayed the attempt, for the record. */
  readonly waitedMs?: number;
  /** For the record, where it is not the first candidate that is called. */
  readonly skipped?: readonly SkippedTarget[];
  /** Aborts the attempt, even after commit. It must abort whenever the signal of the exchange does, its default. */
  readonly signal?: AbortSignal;
}

/** A target that can serve an exchange. Its price and its provider are those of `target`. */
export interface RankedTarget {
  readonly target: Target;
  /** Of its best credential: see {@link Standing}. */
  readonly state: Standing['state'];
  /** Milliseconds that its responses usually take to begin, as this process has seen. Absent: unknown. */
  readonly usualMs?: number;
}

/** The targets in another order, the best first. Those that are left out are not tried. */
export type Order = (exchange: Exchange, targets: readonly RankedTarget[]) => readonly RankedTarget[];

/**
 * Chooses targets and credentials, and makes attempts until one commits.
 * @param order the `order` hooks of all plugins. Absent: none has one
 * @throws GatewayError of the failure that the client gets
 */
export type Strategy = (exchange: Exchange, attempt: MakeAttempt, order?: Order) => Promise<Reply>;

/** How the strategy rates one credential of a target. Part of its explanation (`candidates`). */
export interface Standing {
  /** Id of the target. */
  readonly target: string;
  readonly credential: string;
  /** `behind`: tried after every `ready` one. `resting`: cooling down until `until`, tried last. */
  readonly state: 'ready' | 'behind' | 'resting';
  readonly reason?: string;
  /** ISO 8601. */
  readonly until?: string;
}

/** The place of a text that a guard inspects. */
export interface GuardedContent {
  readonly choice: number;
  /** Number of the part within its choice. */
  readonly part: number;
  /** The text of a tool call is its arguments. */
  readonly kind: Exclude<PartKind, 'media' | 'opaque'>;
  /** For `tool-call`. */
  readonly call?: CallHead;
  /** The part ends with this text: nothing of it is held back. */
  readonly isEnd: boolean;
}

/**
 * What happens to a text. `refuse` ends the response with this message, as the refusal of the client's wire, and cuts
 * the upstream; what was sent before stays.
 */
export type GuardVerdict =
  | 'pass'
  | {
      readonly replace?: string;
      /**
       * Characters at the end of the text, or of the replacement, that are held back now, if more than the window:
       * where characters that no reader sees make a phrase longer.
       * @example hold: 2 * longestPhrase.length
       */
      readonly hold?: number;
    }
  | { readonly refuse: string };

/**
 * Inspects the content of one response before the client gets it: text, reasoning, refusals, and arguments of tool
 * calls. The same for plain and streamed responses of every wire.
 */
export interface Guard {
  /**
   * Characters at the end of each part that are held back until more arrives, so that a phrase split between deltas is
   * seen whole: the length of the longest phrase minus 1. `Infinity` holds back whole parts, as plain responses are.
   * @example window: longestPhrase.length - 1
   */
  readonly window: number;
  /**
   * Called with all text of a part that has not been sent, whenever some of it is about to be. Characters that were
   * held back, also those of a replacement, are in the next call again. Until a promise has settled, the text and all
   * that follows it are held back, and no more of the response is read.
   * @throws GatewayError to end the response with an error
   * @example inspect: (text) => (text.includes(word) ? { replace: text.replaceAll(word, '[redacted]') } : 'pass')
   */
  inspect(text: string, content: GuardedContent): GuardVerdict | Promise<GuardVerdict>;
}
