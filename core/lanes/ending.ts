import type { Usage } from '../canonical/usage.ts';
import type { Seen } from '../contracts/native.ts';
import type { CallRecord, Ending } from '../contracts/exchange.ts';
import { toGatewayError, type GatewayError } from '../errors/gateway-error.ts';
import { endingOfError } from '../outcome/results.ts';

/** What was seen of an answer that one call made, or several. */
export interface SeenResponse extends Seen {
  /** What each of several calls reported; `usage` is the sum. */
  readonly calls?: readonly (Usage | undefined)[];
}

/** Keeps what each call of an answer has reported so far, where nothing of it is delivered. */
export function noteUsage(calls: readonly CallRecord[], { usage, calls: reported = [usage] }: SeenResponse): void {
  for (const [index, call] of calls.entries()) {
    const known = reported[index];
    if (known !== undefined) call.usage = known;
  }
}

/** The ending of an answer as its watcher saw it. */
export const describeEnding = (seen: SeenResponse, error: GatewayError | undefined): Ending => ({
  reason: error !== undefined ? endingOfError(error) : seen.finish?.unfinished === true ? 'unfinished' : 'complete',
  usage: seen.usage,
  outputChars: seen.outputChars,
  ...(seen.reasoned === true ? { reasoned: true } : {}),
  ...(seen.calls === undefined ? {} : { calls: seen.calls }),
  ...(seen.finish === undefined ? {} : { finish: seen.finish }),
  ...(seen.model === undefined ? {} : { model: seen.model }),
  ...(error === undefined ? {} : { error }),
});

/** The ending of an answer whose client left before the end of it. @param signal aborted for that reason @param failure why the rest could not be read */
export const describeLeaving = (
  seen: SeenResponse,
  { reason }: AbortSignal,
  failure: GatewayError | undefined,
): Ending => ({
  ...describeEnding(seen, toGatewayError(reason)),
  ...(failure === undefined ? { readToEnd: true } : {}),
});
