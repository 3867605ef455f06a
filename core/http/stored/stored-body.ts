import { Readable } from 'node:stream';
import type { StoredReply } from '../../dispatch/stored-client.ts';
import type { BodySink } from '../../lanes/upstream/body.ts';

/** The body of a vendor's stream, byte by byte, with back-pressure. If it breaks, so does the client's connection. */
export class StoredBody extends Readable implements BodySink {
  readonly #reply: Pick<StoredReply, 'body' | 'deadlines'>;
  #isReading = false;

  constructor(reply: Pick<StoredReply, 'body' | 'deadlines'>) {
    super();
    this.#reply = reply;
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
    const { body, deadlines } = this.#reply;
    deadlines.receivedContent(chunk.byteLength);
    if (this.push(chunk)) return;
    deadlines.pause();
    body.pause();
  }

  end(): void {
    this.#reply.deadlines.stop();
    this.push(null);
  }

  fail(error: unknown): void {
    this.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
