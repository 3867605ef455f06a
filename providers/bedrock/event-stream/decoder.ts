import { createRequire } from 'node:module';
import type * as EventStreams from '@smithy/eventstream-codec';
import { GatewayError } from '../../../core/api/index.ts';
import { lookUp, type Frame, type FrameDecoder } from '../../../core/api/codec.ts';

/** The length of a message is its first member. */
const LENGTH_BYTES = 4;
/** A message without headers and payload: two lengths and two checksums. */
const SHORTEST = 16;

/** One message of an event stream. */
export interface EventMessage {
  /** `chunk`, `contentBlockDelta` and so on; undefined for an exception or an error. */
  readonly event: string | undefined;
  /** The name of an exception or an error. */
  readonly failure: string | undefined;
  /** The payload, or the message of an error without one. */
  readonly text: string;
}

let codec: EventStreams.EventStreamCodec | undefined;

/** Loads the library with the first stream, so that a gateway without such a provider stays small. */
const loadCodec = (): EventStreams.EventStreamCodec => {
  if (codec !== undefined) return codec;
  const { EventStreamCodec } = createRequire(import.meta.url)('@smithy/eventstream-codec') as typeof EventStreams;
  codec = new EventStreamCodec(
    (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
    (text) => Buffer.from(text, 'utf8'),
  );
  return codec;
};

const readMessage = (bytes: Uint8Array): EventMessage => {
  const { headers, body } = loadCodec().decode(bytes);
  const read = (name: string): string | undefined => {
    const value = lookUp(headers, name)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  const type = read(':message-type');
  if (type === 'event' || type === undefined) return { event: read(':event-type'), failure: undefined, text };
  if (type === 'exception') return { event: undefined, failure: read(':exception-type') ?? '', text };
  const message = read(':error-message') ?? '';
  return {
    event: undefined,
    failure: read(':error-code') ?? '',
    text: text === '' ? JSON.stringify({ message }) : text,
  };
};

const damaged = (problem: string): GatewayError =>
  new GatewayError('upstream_bad_response', `The event stream of the provider is damaged: ${problem}.`);

/**
 * Splits an AWS event stream into messages, whose two checksums are compared.
 * https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html#streaming-event-stream
 */
export class EventStreamDecoder implements FrameDecoder {
  readonly #frameBytes: number;
  readonly #write: (message: EventMessage) => Frame;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** The bytes with which the next step is possible: those of the length, then those of the message. */
  #wanted = LENGTH_BYTES;

  constructor(frameBytes: number, write: (message: EventMessage) => Frame) {
    this.#frameBytes = frameBytes;
    this.#write = write;
  }

  push(chunk: Uint8Array, emit: (frame: Frame) => void): void {
    if (chunk.byteLength === 0) return;
    this.#held.push(chunk);
    this.#heldBytes += chunk.byteLength;
    while (this.#heldBytes >= this.#wanted) this.#read(emit);
  }

  /** A message that was cut off is not a frame: the codec notices that the end of its stream is missing. */
  end(): void {}

  #read(emit: (frame: Frame) => void): void {
    const bytes = this.#held.length === 1 ? asBuffer(this.#held[0]) : Buffer.concat(this.#held, this.#heldBytes);
    this.#held = [bytes];
    if (this.#wanted === LENGTH_BYTES) {
      this.#wanted = this.#checkLength(bytes.readUInt32BE(0));
      return;
    }
    const raw = bytes.subarray(0, this.#wanted);
    const rest = bytes.subarray(this.#wanted);
    this.#held = rest.byteLength === 0 ? [] : [rest];
    this.#heldBytes = rest.byteLength;
    this.#wanted = LENGTH_BYTES;
    emit({ ...this.#write(this.#decode(raw)), raw });
  }

  #checkLength(length: number): number {
    if (length < SHORTEST) throw damaged(`a message has a length of ${length} bytes`);
    if (length > this.#frameBytes) throw damaged(`a message is longer than ${this.#frameBytes} bytes`);
    return length;
  }

  #decode(raw: Uint8Array): EventMessage {
    try {
      return readMessage(raw);
    } catch (thrown) {
      throw new GatewayError(
        'upstream_bad_response',
        `The event stream of the provider is damaged: ${thrown instanceof Error ? thrown.message : 'unknown'}`,
        { cause: thrown },
      );
    }
  }
}

const asBuffer = (bytes: Uint8Array = new Uint8Array()): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
