import type { Frame, FrameDecoder, Framing } from '../contracts/framing.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { CHECKED_FROM, checkJsonDensity } from '../framing/json-density.ts';
import { parseJson } from '../framing/json.ts';
import { Timer } from '../services/timer.ts';
import { MAX_RESPONSE_BYTES } from './upstream/collect.ts';
import type { Deadlines } from './upstream/deadlines.ts';
import type { Relay } from './relay.ts';
import type { Stopwatch } from './upstream/stopwatch.ts';
import type { BodySink, UpstreamBody } from './upstream/body.ts';

/** The longest frame that is accepted from a provider. */
export const MAX_FRAME_BYTES = 8 * 1_048_576;
/** Milliseconds and bytes that are allowed after the terminal frame before the connection is closed. */
const GRACE_MS = 1_000;
const GRACE_BYTES = 262_144;

/** The last frame can lack its separator. It counts if its data is complete; JSON that was cut off does not parse. */
const isWhole = ({ data }: Frame): boolean => !data.startsWith('{') || parseJson(data) !== undefined;

/** Receives the progress of the feeds of one response. */
export interface FeedListener {
  /** A chunk, or the end of the body, has been pushed into the relay. */
  advanced(): void;
  /** @param error of the transport, or of a relay that cannot read the bytes */
  failed(error: unknown): void;
}

export interface FeedParts {
  readonly body: UpstreamBody;
  readonly deadlines: Deadlines;
  readonly framing: Framing;
  readonly relay: Relay;
  /** Runs while the feed waits for the upstream. */
  readonly stopwatch: Stopwatch;
  /** Index of the relay's source that the bytes belong to. */
  readonly source?: number;
}

/** Pushes the body of one upstream response into the relay, frame by frame. */
export class Feed implements BodySink {
  /** Bytes received so far, decompressed. */
  taken = 0;
  /** Nothing more is pushed into the relay. */
  isOver = false;
  readonly #body: UpstreamBody;
  readonly #deadlines: Deadlines;
  readonly #relay: Relay;
  readonly #source: number;
  readonly #decoder: FrameDecoder;
  readonly #stopwatch: Stopwatch;
  #listener: FeedListener | undefined;
  #isPaused = false;
  #isWaiting = false;
  /** Bytes after the terminal frame that are still read. */
  #left = GRACE_BYTES;
  #timer: Timer | undefined;

  constructor({ body, deadlines, framing, relay, stopwatch, source = 0 }: FeedParts) {
    this.#body = body;
    this.#deadlines = deadlines;
    this.#relay = relay;
    this.#source = source;
    this.#stopwatch = stopwatch;
    this.#decoder = framing.decoder({ frameBytes: MAX_FRAME_BYTES });
  }

  read(listener: FeedListener): void {
    this.#listener = listener;
    this.#wait();
    this.#body.read(this);
  }

  /** The client is not reading, so the idle timeout of the upstream is paused. */
  pause(): void {
    if (this.isOver) return;
    this.#isPaused = true;
    this.#work();
    this.#deadlines.pause();
    this.#body.pause();
  }

  resume(): void {
    if (this.isOver) return;
    this.#isPaused = false;
    this.#wait();
    this.#deadlines.resume();
    this.#body.resume();
  }

  close(): void {
    this.#finish();
    this.#timer?.stop();
    this.#body.stop();
  }

  /** Waits briefly for the end of the body, the only thing due after the terminal frame, to reuse the connection. */
  closeGracefully(): void {
    if (this.isOver) return;
    this.#finish();
    this.#timer = new Timer(GRACE_MS, () => this.#body.stop());
    this.#body.resume();
  }

  data(chunk: Uint8Array): void {
    if (this.isOver) return this.#discard(chunk);
    this.#work();
    try {
      this.#take(chunk);
    } catch (thrown) {
      return this.fail(thrown);
    }
    // One of several sources can be complete before the others: later errors of its connection do not matter.
    if (this.#relay.isOver(this.#source)) this.closeGracefully();
    this.#listener?.advanced();
    this.#wait();
  }

  end(): void {
    this.#timer?.stop();
    if (this.isOver) return;
    this.#finish();
    try {
      this.#decoder.end((frame) => {
        if (isWhole(frame)) this.#push(frame);
      });
      this.#relay.end(this.#source);
    } catch (thrown) {
      return this.#listener?.failed(thrown);
    }
    this.#listener?.advanced();
  }

  fail(error: unknown): void {
    this.#timer?.stop();
    if (this.isOver) return;
    this.#finish();
    this.#listener?.failed(error);
  }

  #take(chunk: Uint8Array): void {
    this.taken += chunk.byteLength;
    if (this.taken > MAX_RESPONSE_BYTES) {
      const limit = `${MAX_RESPONSE_BYTES / 1_048_576} MB`;
      throw new GatewayError('upstream_bad_response', `The stream of the provider is longer than ${limit}.`);
    }
    const { contents } = this.#relay.state;
    this.#decoder.push(chunk, this.#push);
    if (this.#relay.state.contents === contents) this.#deadlines.received(chunk.byteLength);
    else this.#deadlines.receivedContent(chunk.byteLength);
  }

  readonly #push = (frame: Frame): void => {
    if (frame.data.length > CHECKED_FROM) checkJsonDensity(Buffer.from(frame.data));
    this.#relay.push(frame, this.#source);
  };

  #discard(chunk: Uint8Array): void {
    this.#left -= chunk.byteLength;
    if (this.#left > 0) return;
    this.#timer?.stop();
    this.#body.stop();
  }

  #finish(): void {
    this.isOver = true;
    this.#work();
    this.#deadlines.stop();
  }

  #wait(): void {
    if (this.#isWaiting || this.#isPaused || this.isOver) return;
    this.#isWaiting = true;
    this.#stopwatch.start();
  }

  #work(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#stopwatch.stop();
  }
}
