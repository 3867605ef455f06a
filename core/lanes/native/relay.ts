import { redactSecrets } from '../../canonical/text/redact.ts';
import type { Tap } from '../../contracts/native.ts';
import type { Frame, Framing } from '../../contracts/framing.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { SeenResponse } from '../ending.ts';
import { createRelayState, type Relay } from '../relay.ts';

const encoder = new TextEncoder();
/** A blank line, in any of the line ends of an event stream. */
const BORDER = /(?:\n|\r(?!\n))(?:\r\n|\n|\r)$/;

/** Bytes that wait to be sent. Pieces that lie side by side in memory, frames of one chunk, go out as one. */
class Outbox {
  #pieces: Uint8Array[] = [];
  /** The first of the last pieces that lie side by side, and the bytes of all of them. */
  #tail: Uint8Array | undefined;
  #length = 0;

  add(piece: Uint8Array): void {
    const tail = this.#tail;
    if (tail !== undefined && tail.buffer === piece.buffer && tail.byteOffset + this.#length === piece.byteOffset) {
      this.#length += piece.byteLength;
      return;
    }
    this.#close();
    this.#tail = piece;
    this.#length = piece.byteLength;
  }

  take(): Uint8Array | undefined {
    this.#close();
    const pieces = this.#pieces;
    if (pieces.length === 0) return undefined;
    this.#pieces = [];
    return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
  }

  #close(): void {
    const tail = this.#tail;
    if (tail === undefined) return;
    const whole = tail.byteLength === this.#length ? tail : Buffer.from(tail.buffer, tail.byteOffset, this.#length);
    this.#pieces.push(whole);
    this.#tail = undefined;
  }
}

/** Frames pass as they came; the tap says of each what it is. */
export class NativeRelay implements Relay {
  readonly state = createRelayState();
  readonly #tap: Tap;
  readonly #client: Framing;
  /** Frames bring their separators along; between two framings they are written anew. */
  readonly #isSame: boolean;
  readonly #outbox = new Outbox();
  #isFirst = true;
  /** The last frame, where it went out as it came. */
  #last: Uint8Array | undefined;

  constructor(tap: Tap, upstream: Framing, client: Framing) {
    this.#tap = tap;
    this.#client = client;
    this.#isSame = upstream.name === client.name;
  }

  get seen(): SeenResponse {
    return this.#tap.seen;
  }

  push(frame: Frame): void {
    const { state } = this;
    if (state.ended || state.failure !== undefined) return;
    const verdict = frame.data === '' && frame.event === undefined ? 'pass' : this.#tap.see(frame);
    if (verdict === 'withhold') return;
    if (verdict === 'error') return this.#pushError(frame);
    if (verdict === 'content') state.contents += 1;
    if (verdict === 'content' || verdict === 'end') state.committed = true;
    this.#keep(frame);
    if (verdict === 'end') this.#close();
  }

  end(): void {
    const { state } = this;
    if (state.ended) return;
    state.failure = this.#tap.end();
    if (state.failure !== undefined) return;
    state.committed = true;
    this.#close();
  }

  isOver(): boolean {
    return this.state.ended;
  }

  fail(error: GatewayError): void {
    this.state.failure = error;
    this.#writeError(error);
    this.#close();
  }

  take(): Uint8Array | undefined {
    return this.#outbox.take();
  }

  /** The vendor's error event passes as it came, unless it tells a secret; a frame in which the tap itself found the fault would tell the client nothing. */
  #pushError(frame: Frame): void {
    const failure = this.#tap.seen.error ?? new GatewayError('upstream_error');
    this.state.failure = failure;
    if (failure.vendor === undefined || redactSecrets(frame.data) !== frame.data) this.#writeError(failure);
    else this.#keep(frame);
    this.#close();
  }

  #keep(frame: Frame): void {
    // A comment has no form in another framing.
    if (!this.#isSame && frame.data === '') return;
    this.#last = this.#isSame ? frame.raw : undefined;
    this.#outbox.add(this.#last ?? this.#write(frame));
    this.#isFirst = false;
  }

  #write({ event, data }: Frame): Uint8Array {
    return encoder.encode(this.#client.writer?.frame(event, data, this.#isFirst) ?? data);
  }

  #writeError(error: GatewayError): void {
    this.#closeFrame();
    this.#tap.fail(error, (event, data) => this.#keep({ event, data }));
  }

  /** A last frame without its border would be no event to some readers, and would swallow what follows. */
  #closeFrame(): void {
    const last = this.#last;
    if (last !== undefined && !BORDER.test(Buffer.from(last.subarray(-4)).toString('latin1'))) {
      this.#outbox.add(encoder.encode('\n\n'));
    }
    this.#last = undefined;
  }

  /** Nothing follows in this answer. */
  #close(): void {
    if (this.state.ended) return;
    const closing = this.#last === undefined ? (this.#client.writer?.close() ?? '') : '';
    this.#closeFrame();
    if (closing !== '') this.#outbox.add(encoder.encode(closing));
    this.state.ended = true;
  }
}
