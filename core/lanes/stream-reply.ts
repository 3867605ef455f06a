import type { Loss } from '../canonical/loss.ts';
import type { Operation } from '../canonical/wire.ts';
import type { Attempt, AttemptOf, Lane, CallRecord } from '../contracts/exchange.ts';
import type { Output, Reply } from '../contracts/reply.ts';
import { GatewayError, toGatewayError } from '../errors.ts';
import { describeEnding, describeLeaving, noteUsage } from './ending.ts';
import type { Channel } from './channel.ts';
import { FRAME_BYTES, type Feed } from './feed.ts';
import { hasLeft } from './read-on.ts';
import type { Relay } from './relay.ts';
import type { Stopwatch } from './stopwatch.ts';

export interface StreamSource {
  readonly attempt: Pick<Attempt, 'target' | 'signal'>;
  /** In the order of the relay's sources. */
  readonly calls: readonly CallRecord[];
  readonly feed: Feed;
  readonly relay: Relay;
  readonly contentType: string;
  readonly lane: Lane;
  readonly losses: readonly Loss[];
  readonly stopwatch: Stopwatch;
  /** Most bytes before content. */
  readonly most?: number;
}

/** What a stream may send before its content: life signs, what it says of the answer. */
const EARLY_BYTES = 1_048_576;
/** Responses repeats instructions and tools in its first two events. */
const ECHOES = 2;

/**
 * Most bytes of a stream before its content, which are held until it comes. A model that makes images may begin with one.
 * @param calls that make up the answer
 */
export const countEarlyBytes = <O extends Operation>({ exchange }: AttemptOf<O>, { profile }: Channel<O>, calls = 1): number =>
  (profile.capabilities.mediaOutput === true ? FRAME_BYTES : EARLY_BYTES) + ECHOES * calls * exchange.inbound.raw.byteLength;

/**
 * Reads until the first content, then hands over an answer that has begun.
 * @throws GatewayError anything that goes wrong before content: nothing has been sent, another target may be tried
 */
export const openStreamReply = async (source: StreamSource): Promise<Reply> => {
  const { calls, feed, relay, contentType, lane, losses, stopwatch, most = EARLY_BYTES } = source;
  const { target, signal } = source.attempt;
  const { state } = relay;
  const drop = (): void => {
    noteUsage(calls, relay.seen);
    feed.close();
  };

  try {
    while (!state.committed && state.failure === undefined && (await feed.step())) {
      if (!state.committed && feed.taken > most) throw new GatewayError('upstream_bad_response', 'The provider sent too much before any content.');
    }
    if (!state.committed) throw state.failure ?? new GatewayError('upstream_truncated');
  } catch (thrown) {
    drop();
    throw toGatewayError(thrown);
  }
  const waitedMs = stopwatch.elapsedMs;

  /** Something came after the client had left: it was read, and not written. */
  let missed = false;
  const flush = (output: Output): Promise<void> | undefined => {
    const bytes = relay.take();
    if (bytes === undefined) return undefined;
    missed ||= hasLeft(signal);
    const full = missed ? undefined : output.write(bytes);
    if (full === undefined) return undefined;
    feed.pause();
    stopwatch.start();
    return full.finally(() => {
      stopwatch.stop();
      feed.resume();
    });
  };

  return {
    status: 200,
    lane,
    target,
    losses,
    headers: { 'content-type': contentType },
    waitedMs,
    deliver: async (output) => {
      try {
        await flush(output);
        while (!state.ended && state.failure === undefined && (await feed.step())) {
          const full = flush(output);
          if (full !== undefined) await full;
        }
        if (state.failure !== undefined && !state.ended) relay.fail(state.failure);
      } catch (thrown) {
        relay.fail(toGatewayError(thrown));
      }
      const { failure } = state;
      if (failure === undefined) feed.linger();
      else feed.close();
      if (failure?.code !== 'client_closed') await flush(output);
      const ending = missed ? describeLeaving(relay.seen, signal, failure) : describeEnding(relay.seen, failure);
      return { ...ending, waitedMs: stopwatch.elapsedMs - waitedMs };
    },
    cancel: drop,
  };
};
