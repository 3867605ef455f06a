import type { Frame, Framing } from '../contracts/framing.ts';
import { parseJson } from '../framing/json.ts';
import type { Relay } from './relay.ts';

/** A frame longer than this is not an answer. */
const FRAME_BYTES = 8 * 1_048_576;
/** How long the rest of a finished answer may take before its connection is given up. */
const LINGER_MS = 1_000;

/** The bytes of an upstream answer on their way into the relay. */
export interface Feed {
  /** One chunk; false when there is no more to read. */
  step(): Promise<boolean>;
  /** After the terminal frame the upstream owes only its end of body: waited for a moment, so that the connection can serve again. */
  linger(): void;
  close(): void;
}

/** A last frame without its border counts where its data is whole; JSON that was cut off says only that more was to come. */
const isWhole = ({ data }: Frame): boolean => !data.startsWith('{') || parseJson(data) !== undefined;

const drain = async (chunks: AsyncIterator<Uint8Array>): Promise<void> => {
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

/** @param source which of the relay's sources the bytes are */
export const createFeed = (body: AsyncIterable<Uint8Array>, framing: Framing, relay: Relay, source = 0): Feed => {
  const chunks = body[Symbol.asyncIterator]();
  const decoder = framing.decoder({ frameBytes: FRAME_BYTES });
  const push = (frame: Frame): void => relay.push(frame, source);
  return {
    step: async () => {
      const { done, value } = await chunks.next();
      if (done !== true) {
        decoder.push(value, push);
        return true;
      }
      decoder.end((frame) => {
        if (isWhole(frame)) push(frame);
      });
      relay.end(source);
      return false;
    },
    linger: () => void drain(chunks),
    close: () => void chunks.return?.(),
  };
};

/** Several feeds as one: whichever has a chunk is next. */
export const joinFeeds = (feeds: readonly Feed[]): Feed => {
  const waiting = new Map<Feed, Promise<{ readonly feed: Feed; readonly more: boolean }>>();
  const wait = (feed: Feed): void => void waiting.set(feed, feed.step().then((more) => ({ feed, more })));
  feeds.forEach(wait);
  return {
    step: async () => {
      const { feed, more } = await Promise.race(waiting.values());
      if (more) wait(feed);
      else waiting.delete(feed);
      return waiting.size > 0;
    },
    linger: () => {
      // A step that is under way reads the end of its own body.
      for (const [feed, step] of waiting) void step.then(({ more }) => (more ? feed.linger() : undefined)).catch(() => {});
    },
    close: () => {
      for (const step of waiting.values()) void step.catch(() => {});
      feeds.forEach((feed) => feed.close());
    },
  };
};
