import { Readable } from 'node:stream';
import type { StoredReply } from '../../dispatch/stored-client.ts';
import type { BodySink } from '../../lanes/upstream/body.ts';

/** Watches the bytes of a stream. @returns a promise if they hold the end of the response, until that is settled */
export type Watch = (chunk: Uint8Array) => Promise<void> | undefined;

/**
 * The body of a vendor's stream, byte by byte, with back-pressure. The end of the response is passed on once it is
 * settled. If the stream breaks, so does the client's connection.
 */
export class StoredBody extends Readable implements BodySink {
  readonly #reply: Pick<StoredReply, 'body' | 'deadlines'>;
  readonly #watch: Watch | undefined;
  #isReading = false;
  /** Settles the response. What follows waits for it. */
  #settling: Promise<void> | undefined;

  constructor(reply: Pick<StoredReply, 'body' | 'deadlines'>, watch: Watch | undefined) {
    super();
    this.#reply = reply;
    this.#watch = watch;
  }

  override _read(): void {
    const { body, deadlines } = this.#reply;
    if (this.#isReading) {
      deadlines.resume();
      body.resume();
    } else {
      this.#isReading = true;
      body.read(this);
    }
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#reply.deadlines.stop();
    this.#reply.body.stop();
    callback(error);
  }

  data(chunk: Uint8Array): void {
    this.#reply.deadlines.receivedContent(chunk.byteLength);
    this.#settling ??= this.#watch?.(chunk);
    if (this.#settling === undefined) this.#pass(chunk);
    else void this.#settling.then(() => this.#pass(chunk));
  }

  end(): void {
    this.#reply.deadlines.stop();
    if (this.#settling === undefined) this.push(null);
    else void this.#settling.then(() => this.push(null));
  }

  fail(error: unknown): void {
    this.destroy(error instanceof Error ? error : new Error(String(error)));
  }

  #pass(chunk: Uint8Array): void {
    if (this.destroyed || this.push(chunk)) return;
    this.#reply.deadlines.pause();
    this.#reply.body.pause();
  }
}
