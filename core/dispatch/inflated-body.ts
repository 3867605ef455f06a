import { GatewayError } from '../errors/gateway-error.ts';
import { UpstreamBody, type BodySink } from '../lanes/upstream/body.ts';
import { MAX_RESPONSE_BYTES } from '../lanes/upstream/collect.ts';
import { isBomb, MAX_RATIO, type Inflater } from './content-coding.ts';
import { describeFault } from './transport-fault.ts';

/** A body without its `content-encoding`, decompressed chunk by chunk as it arrives. */
export class InflatedBody extends UpstreamBody implements BodySink {
  readonly #source: UpstreamBody;
  readonly #inflater: Inflater;
  readonly #coding: string;
  #length = 0;

  constructor(source: UpstreamBody, inflater: Inflater, coding: string) {
    super();
    this.#source = source;
    this.#inflater = inflater;
    this.#coding = coding;
    inflater.on('data', (chunk: Buffer) => this.#inflated(chunk));
    inflater.on('drain', () => source.resume());
    inflater.once('end', () => this.ended());
    inflater.once('error', (error) => this.#break(describeFault(error)));
    source.read(this);
  }

  data(chunk: Uint8Array): void {
    if (!this.#inflater.write(chunk)) this.#source.pause();
  }

  /** All compressed bytes have arrived. */
  end(): void {
    this.#inflater.end();
  }

  fail(error: unknown): void {
    this.#inflater.destroy();
    this.failed(error);
  }

  protected hold(): void {
    this.#inflater.pause();
  }

  protected release(): void {
    this.#inflater.resume();
  }

  protected drop(): void {
    this.#inflater.destroy();
    this.#source.stop();
  }

  #inflated(chunk: Buffer): void {
    this.#length += chunk.byteLength;
    if (this.#length <= MAX_RESPONSE_BYTES && !isBomb(this.#length, this.#inflater)) return this.arrived(chunk);
    const limits = `decompresses to more than 64 MB, or to more than ${MAX_RATIO} times its size`;
    this.#break(new GatewayError('upstream_bad_response', `The ${this.#coding} response of the provider ${limits}.`));
  }

  #break(error: unknown): void {
    this.#source.stop();
    this.fail(error);
  }
}
