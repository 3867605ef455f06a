import type { Loss } from '../canonical/loss.ts';
import type { Headers } from '../canonical/wire.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { Ending, Lane, Target } from './exchange.ts';

/**
 * An answer that has begun. A Send resolves with it at commit (whole body, or first content or tool delta) and rejects with GatewayError
 * before it, so failover is a loop with a try. Lifecycle frames seen before commit are kept inside and delivered first.
 */
export interface Reply {
  readonly status: number;
  readonly lane: Lane;
  readonly target: Target;
  /** Those known at commit: all of a plain answer's, the request's of a stream. */
  readonly losses: readonly Loss[];
  /** content-type and what else belongs to the body. */
  readonly headers: Headers;
  /** Milliseconds until commit that went into waiting for the upstream. */
  readonly waitedMs: number;
  /**
   * Writes the answer. Never fails: a failure is written in the client's wire and named in the ending. No promise where
   * nothing had to be waited for.
   */
  deliver(output: Output): Ending | Promise<Ending>;
  /** Drops the answer undelivered and releases the upstream. */
  cancel(reason: GatewayError): void;
}

/** Where an answer is written. Whole frames only. A promise only when the socket is full: none per event. */
export interface Output {
  write(bytes: string | Uint8Array): Promise<void> | undefined;
}
