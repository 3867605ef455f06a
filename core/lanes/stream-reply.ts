import type { Loss } from '../canonical/loss.ts';
import type { Lane, Target } from '../contracts/exchange.ts';
import type { Frame, Framing } from '../contracts/framing.ts';
import type { Output, Reply } from '../contracts/reply.ts';
import { GatewayError, toGatewayError } from '../errors.ts';
import { parseJson } from '../framing/json.ts';
import { describeEnding } from './ending.ts';
import type { Relay } from './relay.ts';
import type { Stopwatch } from './stopwatch.ts';

/** A frame longer than this is not an answer. */
const FRAME_BYTES = 8 * 1_048_576;
/** How long the rest of a finished answer may take before its connection is given up. */
const LINGER_MS = 1_000;

export interface StreamSource {
  readonly body: AsyncIterable<Uint8Array>;
  /** Of the upstream. */
  readonly framing: Framing;
  readonly relay: Relay;
  readonly contentType: string;
  readonly lane: Lane;
  readonly target: Target;
  readonly losses: readonly Loss[];
  readonly stopwatch: Stopwatch;
}

/** A last frame without its border counts where its data is whole; JSON that was cut off says only that more was to come. */
const isWhole = ({ data }: Frame): boolean => !data.startsWith('{') || parseJson(data) !== undefined;

/** After the terminal frame the upstream owes only its end of body: waited for a moment, so that the connection can serve again. */
const linger = async (chunks: AsyncIterator<Uint8Array>): Promise<void> => {
  const timer = setTimeout(() => void chunks.return?.(), LINGER_MS);
  timer.unref();
  try {
    while ((await chunks.next()).done !== true);
  } catch {
    // The answer was complete before this; nobody is waiting for it any more.
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Reads until the first content, then hands over an answer that has begun.
 * @throws GatewayError anything that goes wrong before content: nothing has been sent, another target may be tried
 */
export const openStreamReply = async ({ body, framing, relay, contentType, lane, target, losses, stopwatch }: StreamSource): Promise<Reply> => {
  const chunks = body[Symbol.asyncIterator]();
  const decoder = framing.decoder({ frameBytes: FRAME_BYTES });
  const push = relay.push.bind(relay);
  const { state } = relay;

  /** One chunk into the relay; false when there is no more to read. */
  const step = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (done === true) {
      decoder.end((frame) => {
        if (isWhole(frame)) relay.push(frame);
      });
      relay.end();
      return false;
    }
    decoder.push(value, push);
    return true;
  };

  stopwatch.start();
  try {
    while (!state.committed && state.failure === undefined) if (!(await step())) break;
    if (!state.committed) throw state.failure ?? new GatewayError('upstream_truncated');
  } catch (thrown) {
    void chunks.return?.();
    throw toGatewayError(thrown);
  } finally {
    stopwatch.stop();
  }

  const flush = (output: Output): Promise<void> | undefined => {
    const bytes = relay.take();
    return bytes === undefined ? undefined : output.write(bytes);
  };

  return {
    status: 200,
    lane,
    target,
    losses,
    headers: { 'content-type': contentType },
    waitedMs: stopwatch.elapsedMs,
    deliver: async (output) => {
      try {
        await flush(output);
        while (!state.ended && state.failure === undefined && (await step())) {
          const full = flush(output);
          if (full !== undefined) await full;
        }
        if (state.failure !== undefined && !state.ended) relay.fail(state.failure);
      } catch (thrown) {
        relay.fail(toGatewayError(thrown));
      }
      const { failure } = state;
      if (failure === undefined) void linger(chunks);
      else void chunks.return?.();
      if (failure?.code !== 'client_closed') await flush(output);
      return describeEnding(relay.seen, failure);
    },
    cancel: () => void chunks.return?.(),
  };
};
