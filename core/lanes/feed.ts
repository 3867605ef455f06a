import type { Frame, Framing } from '../contracts/framing.ts';
import { GatewayError } from '../errors.ts';
import { CHECKED_FROM, checkJsonDensity } from '../framing/json-density.ts';
import { parseJson } from '../framing/json.ts';
import type { Relay } from './relay.ts';
import { createStopwatch } from './stopwatch.ts';
import { ANSWER_BYTES, type UpstreamAnswer } from './upstream-call.ts';

/** A frame longer than this is not an answer. */
export const FRAME_BYTES = 8 * 1_048_576;
/** How long, and how many bytes, the rest of a finished answer may take before its connection is given up. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 262_144;

/** The bytes of an upstream answer on their way into the relay. */
export interface Feed {
  /** One chunk; false when there is no more to read. @throws GatewayError `upstream_bad_response` when the answer is too long */
  step(): Promise<boolean>;
  /** Bytes that were taken from the upstream so far, unpacked. */
  readonly taken: number;
  /** After the terminal frame the upstream owes only its end of body: waited for a moment, so that the connection can serve again. */
  linger(): void;
  close(): void;
  /** Nobody reads for the moment, so that silence is not the upstream's. */
  pause(): void;
  resume(): void;
}

/** A last frame without its border counts where its data is whole; JSON that was cut off says only that more was to come. */
const isWhole = ({ data }: Frame): boolean => !data.startsWith('{') || parseJson(data) !== undefined;

const drain = async (chunks: AsyncIterator<Uint8Array>): Promise<void> => {
  const timer = setTimeout(() => void chunks.return?.(), LINGER_MS);
  timer.unref();
  let left = LINGER_BYTES;
  try {
    for (let read = await chunks.next(); read.done !== true && left > 0; read = await chunks.next()) left -= read.value.byteLength;
    if (left <= 0) void chunks.return?.();
  } catch {
    // The answer was complete before this; nobody is waiting for it any more.
  } finally {
    clearTimeout(timer);
  }
};

/**
 * @param source which of the relay's sources the bytes are
 * @param stopwatch told of the waits for the upstream
 */
export const createFeed = ({ body, deadlines }: Pick<UpstreamAnswer, 'body' | 'deadlines'>, framing: Framing, relay: Relay, source = 0, stopwatch = createStopwatch()): Feed => {
  const chunks = body[Symbol.asyncIterator]();
  const decoder = framing.decoder({ frameBytes: FRAME_BYTES });
  let taken = 0;
  const push = (frame: Frame): void => {
    if (frame.data.length > CHECKED_FROM) checkJsonDensity(Buffer.from(frame.data));
    relay.push(frame, source);
  };
  const linger = (): void => {
    deadlines.stop();
    void drain(chunks);
  };
  return {
    step: async () => {
      // Of several sources one may be complete before the others: what its connection does afterwards is no news.
      if (relay.isOver(source)) {
        linger();
        return false;
      }
      let read: IteratorResult<Uint8Array>;
      stopwatch.start();
      try {
        read = await chunks.next();
      } finally {
        stopwatch.stop();
      }
      const { done, value } = read;
      if (done !== true) {
        taken += value.byteLength;
        if (taken > ANSWER_BYTES) throw new GatewayError('upstream_bad_response', `The stream of the provider is longer than ${ANSWER_BYTES / 1_048_576} MB.`);
        const { contents } = relay.state;
        decoder.push(value, push);
        if (relay.state.contents === contents) deadlines.heard(value.byteLength);
        else deadlines.shown(value.byteLength);
        return true;
      }
      decoder.end((frame) => {
        if (isWhole(frame)) push(frame);
      });
      relay.end(source);
      return false;
    },
    get taken() {
      return taken;
    },
    linger,
    close: () => {
      deadlines.stop();
      void chunks.return?.();
    },
    pause: deadlines.pause,
    resume: deadlines.resume,
  };
};

/**
 * Several feeds as one: whichever has a chunk is next. Nothing new is read while nobody asks, so that a slow client holds all of them back; what
 * was under way may come or fail meanwhile, and is told with the next step.
 */
export const joinFeeds = (feeds: readonly Feed[]): Feed => {
  const idle = new Set(feeds);
  let reading = 0;
  let arrived = false;
  let failure: { readonly thrown: unknown } | undefined;
  let wake = (): void => {};

  const read = async (feed: Feed): Promise<void> => {
    idle.delete(feed);
    reading += 1;
    try {
      if (await feed.step()) idle.add(feed);
    } catch (thrown) {
      failure ??= { thrown };
    }
    reading -= 1;
    arrived = true;
    wake();
  };

  return {
    step: async () => {
      if (!arrived) {
        for (const feed of idle) void read(feed);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      arrived = false;
      if (failure !== undefined) throw failure.thrown;
      return idle.size + reading > 0;
    },
    get taken() {
      return feeds.reduce((sum, { taken }) => sum + taken, 0);
    },
    linger: () => idle.forEach((feed) => feed.linger()),
    close: () => feeds.forEach((feed) => feed.close()),
    pause: () => feeds.forEach((feed) => feed.pause()),
    resume: () => feeds.forEach((feed) => feed.resume()),
  };
};
