/** Takes the bytes of an upstream body as they arrive. Nothing more is delivered after `end` or `fail`. */
export interface BodySink {
  data(chunk: Uint8Array): void;
  end(): void;
  fail(error: unknown): void;
}

/** Bytes that are buffered while the sink is not reading before the source is paused. */
const KEPT_BYTES = 65_536;

/**
 * The body of an upstream response, pushed to one sink. A chunk is delivered in the turn of the event loop in which it
 * arrives, without a promise. A sink that pauses applies back-pressure to the source.
 */
export abstract class UpstreamBody implements AsyncIterable<Uint8Array> {
  /** The sink is paused. */
  protected isPaused = false;
  /** The source has ended, or no more of it is read. */
  protected isSettled = false;
  #sink: BodySink | undefined;
  #isHeld = false;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  /** How the source ended; delivered to the sink after the buffered chunks. */
  #ending: { readonly error?: unknown } | undefined;
  /** Nothing more is delivered. */
  #isOver = false;
  #isStopped = false;

  /** Delivers what is buffered before it returns, and the rest as it arrives. Call it once. */
  read(sink: BodySink): void {
    this.#sink = sink;
    this.#flush();
  }

  pause(): void {
    this.isPaused = true;
  }

  /** Delivers what was buffered meanwhile before it returns. Do not call it while another body delivers a chunk. */
  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.#flush();
  }

  /** Drops the rest, and closes the connection unless the whole body has arrived. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#isOver = true;
    this.isSettled = true;
    this.#kept = [];
    this.drop();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return new BodyIterator(this);
  }

  protected arrived(chunk: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#sink !== undefined && !this.isPaused && this.#kept.length === 0) return this.#sink.data(chunk);
    this.#kept.push(chunk);
    this.#keptBytes += chunk.byteLength;
    if (this.#keptBytes < KEPT_BYTES || this.#isHeld) return;
    this.#isHeld = true;
    this.hold();
  }

  protected ended(): void {
    this.#ending ??= {};
    this.isSettled = true;
    this.#flush();
  }

  /** Chunks that arrived before are delivered first. */
  protected failed(error: unknown): void {
    this.#ending ??= { error };
    this.isSettled = true;
    this.#flush();
  }

  /** Pauses the source. Chunks that are under way can still arrive. */
  protected abstract hold(): void;
  /** Resumes the source. */
  protected abstract release(): void;
  /** Closes the source, which can have ended before. */
  protected abstract drop(): void;

  #flush(): void {
    if (this.#sink === undefined) return;
    while (this.#kept.length > 0 && !this.isPaused && !this.#isOver) {
      const chunk = this.#kept.shift();
      if (chunk === undefined) break;
      this.#keptBytes -= chunk.byteLength;
      this.#sink.data(chunk);
    }
    if (this.isPaused || this.#isOver) return;
    if (this.#ending !== undefined) return this.#finish(this.#sink, this.#ending);
    this.#isHeld = false;
    this.release();
  }

  #finish(sink: BodySink, ending: { readonly error?: unknown }): void {
    this.#isOver = true;
    if ('error' in ending) sink.fail(ending.error);
    else sink.end();
  }
}

/** Iterates over a body, chunk by chunk. */
class BodyIterator implements AsyncIterator<Uint8Array>, BodySink {
  readonly #body: UpstreamBody;
  readonly #chunks: Uint8Array[] = [];
  #waiting: PromiseWithResolvers<IteratorResult<Uint8Array>> | undefined;
  #ending: { readonly error?: unknown } | undefined;
  #isReading = false;

  constructor(body: UpstreamBody) {
    this.#body = body;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#isReading) this.#body.read(this);
    else if (this.#chunks.length === 0) this.#body.resume();
    this.#isReading = true;
    this.#waiting = Promise.withResolvers();
    const { promise } = this.#waiting;
    this.#settle();
    return promise;
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#body.stop();
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  data(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#body.pause();
    this.#settle();
  }

  end(): void {
    this.#ending ??= {};
    this.#settle();
  }

  fail(error: unknown): void {
    this.#ending ??= { error };
    this.#settle();
  }

  #settle(): void {
    const waiting = this.#waiting;
    if (waiting === undefined || (this.#chunks.length === 0 && this.#ending === undefined)) return;
    const chunk = this.#chunks.shift();
    this.#waiting = undefined;
    if (chunk !== undefined) waiting.resolve({ done: false, value: chunk });
    else if (this.#ending !== undefined && 'error' in this.#ending) waiting.reject(this.#ending.error);
    else waiting.resolve({ done: true, value: undefined });
  }
}

/** The body of a transport that is not the gateway's own, read from its iterator. */
class IteratedBody extends UpstreamBody {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #isReading = false;

  constructor(body: AsyncIterable<Uint8Array>) {
    super();
    this.#chunks = body[Symbol.asyncIterator]();
  }

  protected hold(): void {}

  protected release(): void {
    if (!this.#isReading) void this.#read();
  }

  protected drop(): void {
    void this.#chunks.return?.();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while (!this.isPaused && !this.isSettled) {
        const { done, value } = await this.#chunks.next();
        if (done === true) this.ended();
        else this.arrived(value);
      }
    } catch (thrown) {
      this.failed(thrown);
    }
    this.#isReading = false;
  }
}

/** The body of any transport as a pushed one. */
export const pushedBody = (body: AsyncIterable<Uint8Array>): UpstreamBody =>
  body instanceof UpstreamBody ? body : new IteratedBody(body);
