import type { Usage } from '../canonical/usage.ts';
import type { Observed } from '../contracts/native.ts';
import type { CallRecord, Ending } from '../contracts/attempt-record.ts';
import { toGatewayError, type GatewayError } from '../errors/gateway-error.ts';
import { endingOfError } from '../outcome/results.ts';

/** What was seen of a response, which one upstream call or several make up. */
export interface SeenResponse extends Observed {
  /** The usage that each of several calls reported; `usage` is the sum. */
  readonly calls?: readonly (Usage | undefined)[];
  /** A guard has refused the response: what followed was cut off, or all of it had been read. */
  readonly refused?: 'cut' | 'read';
}

/** Records the usage that each call has reported so far, for a response that is not delivered. */
export function noteUsage(calls: readonly CallRecord[], { usage, calls: reported = [usage] }: SeenResponse): void {
  for (const [index, call] of calls.entries()) {
    const known = reported[index];
    if (known !== undefined) call.usage = known;
  }
}

/** The ending of a response by what was seen of it. */
export const describeEnding = (seen: SeenResponse, error: GatewayError | undefined): Ending => ({
  reason:
    error !== undefined
      ? endingOfError(error)
      : seen.refused !== undefined
        ? 'refused'
        : seen.finish?.unfinished === true
          ? 'unfinished'
          : 'complete',
  usage: seen.usage,
  outputChars: seen.outputChars,
  ...(seen.reasoned === true ? { reasoned: true } : {}),
  ...(seen.refused === 'read' ? { readToEnd: true } : {}),
  ...(seen.calls === undefined ? {} : { calls: seen.calls }),
  ...(seen.finish === undefined ? {} : { finish: seen.finish }),
  ...(seen.model === undefined ? {} : { model: seen.model }),
  ...(seen.stored === undefined ? {} : { stored: seen.stored }),
  ...(error === undefined ? {} : { error }),
});

/**
 * The ending of a response whose client left before it was complete.
 * @param signal aborted because the client left
 * @param failure why the rest could not be read; undefined if all of it was read
 */
export const describeLeaving = (
  seen: SeenResponse,
  { reason }: AbortSignal,
  failure: GatewayError | undefined,
): Ending => ({
  ...describeEnding(seen, toGatewayError(reason)),
  ...(failure === undefined ? { readToEnd: true } : {}),
});
