import type { IncomingMessage, ServerResponse } from 'node:http';
import { createInflater, isBomb, MAX_RATIO, readCoding, type Inflater } from '../../dispatch/content-coding.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { BodyMeter } from '../../exchange/client-connection.ts';
import type { ArrivingBody, BodyPace } from './body-pace.ts';
import { closeReasonOf } from '../connection/close-reasons.ts';
import type { GatewayResponse, OpenBody } from '../response/gateway-response.ts';
import { closeUnread } from '../connection/graceful-close.ts';

/**
 * Reads a whole body, decompressed.
 * @throws GatewayError 400, 408, 413, 415, `client_closed`, and errors of the meter
 */
export type ReadBody = (req: IncomingMessage, res: ServerResponse, meter?: BodyMeter) => Promise<Uint8Array>;

/** Takes the bytes of a body as they arrive, in the place of memory. */
export interface BodySink<T> {
  /**
   * Resolves when the next bytes can be taken; never after a failure.
   * @param chunk whose memory can be freed
   */
  write(chunk: Uint8Array): Promise<void>;
  /** All bytes have arrived. Never resolves after a failure. */
  end(): Promise<T>;
  /** The rest does not arrive. */
  destroy(): void;
}

export interface BodyLimits {
  /** Bytes, before and after decompression. */
  readonly limit: number;
  /** Ends the sentence of a refusal with the setting of the limit: ` (server.bodyLimit)`. */
  readonly origin: string;
  readonly pace?: BodyPace;
}

const refuseLength = ({ limit, origin }: BodyLimits): GatewayError =>
  new GatewayError('request_too_large', `The body is larger than ${limit} bytes, the limit of this gateway${origin}.`);

const refuseRatio = (coding: string): GatewayError =>
  new GatewayError(
    'request_too_large',
    `The ${coding} body decompresses to more than ${MAX_RATIO} times its size. Send it uncompressed.`,
  );

const refuseCoding = (coding: string): GatewayError =>
  new GatewayError(
    'unsupported_media_type',
    `The content-encoding '${coding.slice(0, 64)}' is not supported; send identity, gzip, deflate, br or zstd.`,
  );

const refuseBroken = (): GatewayError =>
  new GatewayError(
    'invalid_request',
    'The body cannot be decompressed: its compression is broken, or it is incomplete.',
  );

const refuseSlow = (): GatewayError =>
  new GatewayError('request_timeout', 'The body arrived too slowly (server.bodyRate).');

/** Reads one body. Every chunk is checked as it arrives, and the reading ends exactly once. */
class BodyReading implements ArrivingBody, OpenBody {
  received = 0;
  readonly #request: IncomingMessage;
  readonly #response: GatewayResponse;
  readonly #limits: BodyLimits;
  readonly #meter: BodyMeter | undefined;
  readonly #coding: string;
  readonly #inflater: Inflater | undefined;
  readonly #chunks: Buffer[] = [];
  readonly #resolve: (body: Uint8Array) => void;
  readonly #reject: (reason: unknown) => void;
  /** Undefined: the body is collected in memory. */
  #sink: BodySink<unknown> | undefined;
  #length = 0;
  #over = false;

  constructor(
    request: IncomingMessage,
    response: GatewayResponse,
    limits: BodyLimits,
    meter: BodyMeter | undefined,
    resolve: (body: Uint8Array) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#request = request;
    this.#response = response;
    this.#limits = limits;
    this.#meter = meter;
    this.#coding = readCoding(request.headers['content-encoding']);
    this.#inflater = this.#coding === '' ? undefined : createInflater(this.#coding);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** @param sink takes the body; its result is not that of this reading */
  start(sink?: BodySink<unknown>): void {
    this.#sink = sink;
    const announced = Number(this.#request.headers['content-length'] ?? 0);
    const { controller } = this.#response;
    if (controller?.signal.aborted === true) this.fail(controller.signal.reason);
    else if (this.#request.destroyed) this.fail(closeReasonOf(this.#request.socket));
    else if (this.#coding !== '' && this.#inflater === undefined) this.fail(refuseCoding(this.#coding));
    else if (announced > this.#limits.limit) this.fail(refuseLength(this.#limits));
    else this.#listen();
  }

  tooSlow(): void {
    this.fail(refuseSlow());
  }

  fail(reason: unknown): void {
    if (this.#over) return;
    this.#stop();
    this.#request.unpipe();
    this.#request.pause();
    this.#inflater?.destroy();
    this.#chunks.length = 0;
    this.#sink?.destroy();
    closeUnread(this.#request, this.#response);
    this.#reject(reason);
  }

  #listen(): void {
    const request = this.#request;
    this.#response.body = this;
    request.on('data', this.#arrived).on('error', this.#lost).on('close', this.#lost);
    if (this.#inflater === undefined) request.on('end', this.#end);
    else request.pipe(this.#inflater).on('data', this.#keep).once('end', this.#end).once('error', this.#broken);
    this.#limits.pace?.watch(this);
  }

  #stop(): void {
    this.#over = true;
    this.#limits.pace?.forget(this);
    this.#response.body = undefined;
    this.#request.off('data', this.#arrived).off('end', this.#end).off('close', this.#lost).off('error', this.#lost);
  }

  /** A request that was read to its end closes too, possibly while its body is still being decompressed. */
  readonly #lost = (): void => {
    if (!this.#request.readableEnded) this.fail(closeReasonOf(this.#request.socket));
  };
  readonly #broken = (): void => this.fail(refuseBroken());

  readonly #arrived = (chunk: Buffer): void => {
    this.received += chunk.byteLength;
    if (this.received > this.#limits.limit) this.fail(refuseLength(this.#limits));
    else if (this.#inflater === undefined) this.#keep(chunk);
  };

  readonly #keep = (chunk: Buffer): void => {
    if (this.#over) return;
    this.#length += chunk.byteLength;
    if (this.#length > this.#limits.limit) this.fail(refuseLength(this.#limits));
    else if (this.#inflater !== undefined && isBomb(this.#length, this.#inflater)) this.fail(refuseRatio(this.#coding));
    else this.#count(chunk);
  };

  #count(chunk: Buffer): void {
    if (this.#sink !== undefined) return void this.#pass(this.#sink, chunk);
    try {
      this.#meter?.take(chunk.byteLength);
      this.#chunks.push(chunk);
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  /** No further chunk arrives until the sink has taken this one. */
  async #pass(sink: BodySink<unknown>, chunk: Buffer): Promise<void> {
    this.#request.pause();
    await sink.write(chunk);
    if (!this.#over) this.#request.resume();
  }

  readonly #end = (): void => {
    if (this.#over) return;
    this.#stop();
    const [first] = this.#chunks;
    this.#resolve(this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#length));
    this.#chunks.length = 0;
  };
}

/**
 * Passes a body on as it arrives.
 * @param open creates what takes it, and gets the function that ends the reading with an error
 * @throws GatewayError 408, 413, `client_closed`, and errors of the sink
 */
export function readStream<T>(
  req: IncomingMessage,
  res: ServerResponse,
  limits: BodyLimits,
  open: (fail: (reason: unknown) => void) => BodySink<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = (): void => void sink.end().then(resolve, reject);
    const reading = new BodyReading(req, res as GatewayResponse, limits, undefined, over, reject);
    const sink = open((reason) => {
      reading.fail(reason);
      // The last bytes can have arrived already.
      reject(reason);
    });
    reading.start(sink);
  });
}

/**
 * Reads bodies of any content type as bytes: every wire is JSON, but `curl -d` sends another content type. A body is
 * refused as soon as it is too long, decompresses to too much, or arrives too slowly. The rest is not read.
 */
export const createBodyReader =
  (limits: BodyLimits): ReadBody =>
  (req, res, meter) =>
    new Promise((resolve, reject) =>
      new BodyReading(req, res as GatewayResponse, limits, meter, resolve, reject).start(),
    );
