import type { Operation } from '../canonical/wire.ts';
import type { CallRecord, Lane, Ending } from '../contracts/attempt-record.ts';
import type { Attempt, AttemptOf, Output, Reply } from '../contracts/attempt.ts';
import { GatewayError, toGatewayError } from '../errors/gateway-error.ts';
import type { Channel } from './channel.ts';
import { describeEnding, describeLeaving, noteUsage } from './ending.ts';
import { MAX_FRAME_BYTES, type Feed, type FeedListener } from './feed.ts';
import { hasLeft } from './upstream/read-on.ts';
import type { Relay } from './relay.ts';
import type { Stopwatch } from './upstream/stopwatch.ts';

export interface StreamSource {
  readonly attempt: Pick<Attempt, 'target' | 'signal' | 'losses'>;
  /** In the order of the relay's sources. */
  readonly calls: readonly CallRecord[];
  /** In the order of the relay's sources. */
  readonly feeds: readonly Feed[];
  readonly relay: Relay;
  readonly contentType: string;
  readonly lane: Lane;
  readonly stopwatch: Stopwatch;
  /** Most bytes before the first content. */
  readonly maxEarlyBytes?: number;
}

/** Bytes that a stream can send before its first content: keepalives and metadata of the response. */
const EARLY_BYTES = 1_048_576;
/** Their streams have images or audio. */
const mediaOperations: ReadonlySet<Operation> = new Set(['image', 'speak']);
/** The Responses API repeats instructions and tools in its first two events. */
const ECHOES = 2;

/**
 * Most bytes of a stream before its first content, which are held until then. The first content of a model that
 * generates images or audio can be all of it.
 * @param calls number of upstream calls that make up the response
 */
export const countEarlyBytes = <O extends Operation>(
  { exchange }: AttemptOf<O>,
  { profile }: Channel<O>,
  calls = 1,
): number =>
  (profile.capabilities.mediaOutput === true || mediaOperations.has(exchange.operation)
    ? MAX_FRAME_BYTES
    : EARLY_BYTES) +
  ECHOES * calls * exchange.inbound.raw.byteLength;

/**
 * A streamed response from its first byte to its ending. Until the first content it is `opening`: frames are held, and
 * any failure rejects, so that another target can be tried. From then on, each chunk is written in the turn of the
 * event loop in which it arrives. See "Commit at first content" in README.md.
 */
class Stream implements FeedListener {
  readonly #source: StreamSource;
  readonly #opened = Promise.withResolvers<Reply>();
  #phase: 'opening' | 'open' | 'delivering' | 'over' = 'opening';
  #waitedMs = 0;
  #ended: PromiseWithResolvers<Ending> | undefined;
  #output: Output | undefined;
  /** A write waits for the client, or a text for a guard: the feeds are paused. */
  #isFull = false;
  /** An error after the commit, kept until it can be written to the client. */
  #fault: { readonly error: unknown } | undefined;
  /** Something arrived after the client had left: it was read, not written. */
  #hasMissed = false;

  constructor(source: StreamSource) {
    this.#source = source;
  }

  open(): Promise<Reply> {
    for (const feed of this.#source.feeds) feed.read(this);
    return this.#opened.promise;
  }

  advanced(): void {
    if (this.#phase === 'opening') this.#tryOpen();
    else if (this.#phase === 'delivering') this.#advance();
  }

  failed(error: unknown): void {
    if (this.#phase === 'opening') return this.#reject(error);
    this.#fault ??= { error };
    this.advanced();
  }

  #deliver(output: Output): Promise<Ending> {
    this.#ended = Promise.withResolvers();
    this.#output = output;
    this.#phase = 'delivering';
    this.#advance();
    this.#resume();
    return this.#ended.promise;
  }

  #cancel(reason: GatewayError): void {
    this.#drop();
    if (this.#phase === 'delivering') this.failed(reason);
  }

  #drop(): void {
    const { calls, feeds, relay } = this.#source;
    noteUsage(calls, relay.seen);
    for (const feed of feeds) feed.close();
  }

  /** Commits at the first content; rejects if there can be none. */
  #tryOpen(): void {
    const { feeds, relay, maxEarlyBytes = EARLY_BYTES } = this.#source;
    if (relay.state.committed) return this.#commit();
    let taken = 0;
    for (const feed of feeds) taken += feed.taken;
    if (taken > maxEarlyBytes) {
      this.#reject(new GatewayError('upstream_bad_response', 'The provider sent too much before any content.'));
    } else if (relay.state.failure !== undefined) this.#reject(relay.state.failure);
    else if (this.#isRead) this.#reject(new GatewayError('upstream_truncated'));
  }

  #commit(): void {
    const { attempt, contentType, feeds, lane, relay, stopwatch } = this.#source;
    this.#phase = 'open';
    for (const feed of feeds) feed.pause();
    this.#waitedMs = stopwatch.elapsedMs;
    this.#opened.resolve({
      status: 200,
      lane,
      target: attempt.target,
      losses: attempt.losses,
      headers: { 'content-type': contentType },
      waitedMs: this.#waitedMs,
      stored: relay.seen.stored,
      deliver: (output) => this.#deliver(output),
      cancel: (reason) => this.#cancel(reason),
    });
  }

  #reject(error: unknown): void {
    this.#phase = 'over';
    this.#drop();
    this.#opened.reject(toGatewayError(error));
  }

  /** All feeds are over: nothing more is pushed into the relay. */
  get #isRead(): boolean {
    for (const feed of this.#source.feeds) if (!feed.isOver) return false;
    return true;
  }

  /** Writes what is in the outbox, and ends the response if nothing more will arrive. */
  #advance(): void {
    if (this.#isFull) return;
    try {
      this.#flush();
      const { state } = this.#source.relay;
      const isDone = state.ended || state.failure !== undefined || this.#fault !== undefined || this.#isRead;
      if (isDone && !this.#isFull) this.#finish();
    } catch (thrown) {
      this.#break(thrown);
    }
  }

  #finish(): void {
    const { feeds, relay } = this.#source;
    const { state } = relay;
    this.#phase = 'over';
    if (!state.ended && state.failure !== undefined) relay.fail(state.failure);
    else if (!state.ended && this.#fault !== undefined) relay.fail(toGatewayError(this.#fault.error));
    for (const feed of feeds) {
      if (state.failure === undefined && !state.refused) feed.closeGracefully();
      else feed.close();
    }
    if (state.failure?.code !== 'client_closed') this.#flush();
    if (!this.#isFull) this.#conclude();
  }

  /** A codec or the output has thrown while writing. The first time, the client is sent an error. */
  #break(thrown: unknown): void {
    if (this.#phase === 'delivering' && this.#fault === undefined) return this.failed(thrown);
    this.#phase = 'over';
    for (const feed of this.#source.feeds) feed.close();
    this.#ended?.reject(thrown);
  }

  #flush(): void {
    const { relay, attempt } = this.#source;
    const waiting = relay.waiting?.();
    const bytes = relay.take();
    if (bytes !== undefined) this.#hasMissed ||= hasLeft(attempt.signal);
    const isWritten = bytes !== undefined && !this.#hasMissed;
    const written = isWritten ? this.#output?.write(bytes, relay.state.ended) : undefined;
    const full = waiting === undefined ? written : Promise.all([waiting, written]);
    if (full === undefined) return;
    this.#isFull = true;
    for (const feed of this.#source.feeds) feed.pause();
    this.#source.stopwatch.start();
    full.then(
      () => this.#drained(),
      (error: unknown) => {
        this.#fault ??= { error };
        this.#drained();
      },
    );
  }

  #drained(): void {
    this.#source.stopwatch.stop();
    this.#isFull = false;
    if (this.#phase === 'over') return this.#conclude();
    this.#advance();
    this.#resume();
  }

  #resume(): void {
    if (this.#phase !== 'delivering' || this.#isFull) return;
    for (const feed of this.#source.feeds) feed.resume();
  }

  #conclude(): void {
    const { attempt, relay, stopwatch } = this.#source;
    const { failure } = relay.state;
    const { seen } = relay;
    const ending = this.#hasMissed ? describeLeaving(seen, attempt.signal, failure) : describeEnding(seen, failure);
    this.#ended?.resolve({ ...ending, waitedMs: stopwatch.elapsedMs - this.#waitedMs });
  }
}

/**
 * Reads until the first content, then resolves with a reply that has begun.
 * @throws GatewayError for any failure before the first content: nothing has been sent, so another target can be tried
 */
export const openStreamReply = (source: StreamSource): Promise<Reply> => new Stream(source).open();
