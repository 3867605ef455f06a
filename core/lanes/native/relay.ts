import { redactSecrets } from '../../canonical/text/redact.ts';
import type { ResponseEdit, Tap } from '../../contracts/native.ts';
import type { Frame, Framing } from '../../contracts/framing.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { SeenResponse } from '../ending.ts';
import { estimateResponse } from '../../outcome/charges.ts';
import { createRelayState, type Relay } from '../relay.ts';
import { spliceResponse } from './splice.ts';

const encoder = new TextEncoder();
/** A blank line at the end, with any of the line endings of an event stream. */
const BORDER = /(?:\n|\r(?!\n))(?:\r\n|\n|\r)$/;

const editFrame = (frame: Frame, edits: readonly ResponseEdit[]): Frame => {
  const { event, data } = frame;
  return edits.length === 0 ? frame : { event, data: Buffer.from(spliceResponse(Buffer.from(data), edits)).toString() };
};

/** Bytes to be sent. Pieces that are adjacent in memory, which are frames of one chunk, are joined without a copy. */
class Outbox {
  #pieces: Uint8Array[] = [];
  /** The first of the last adjacent pieces, and the length of all of them. */
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

/** Passes frames on unchanged, except for the edits of the tap, which decides about each frame. */
export class NativeRelay implements Relay {
  readonly state = createRelayState();
  readonly #tap: Tap;
  readonly #client: Framing;
  /** Estimated tokens of the request. */
  readonly #inputTokens: number;
  /** Frames include their separators. Between two different framings they are written anew. */
  readonly #isSame: boolean;
  readonly #outbox = new Outbox();
  #isFirst = true;
  /** The last frame, if it was passed on unchanged. */
  #last: Uint8Array | undefined;

  constructor(tap: Tap, upstream: Framing, client: Framing, inputTokens = 0) {
    this.#inputTokens = inputTokens;
    this.#tap = tap;
    this.#client = client;
    this.#isSame = upstream.name === client.name;
  }

  get seen(): SeenResponse {
    return this.#tap.observed;
  }

  push(frame: Frame): void {
    const { state } = this;
    if (state.ended || state.failure !== undefined) return;
    const verdict = frame.data === '' && frame.event === undefined ? 'pass' : this.#tap.inspectFrame(frame);
    if (verdict === 'withhold') return;
    if (verdict === 'error') return this.#pushError(frame);
    if (verdict === 'content') state.contents += 1;
    if (verdict === 'content' || verdict === 'end') state.committed = true;
    const { edits } = this.#tap;
    if (verdict === 'end') {
      this.#keep(editFrame(frame, [...(edits ?? []), ...this.#complete()]));
      this.#close();
    } else this.#keep(edits === undefined ? frame : editFrame(frame, edits));
  }

  end(): void {
    const { state } = this;
    if (state.ended) return;
    state.failure = this.#tap.end();
    if (state.failure !== undefined) return;
    state.committed = true;
    this.#complete();
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

  /**
   * Passes the vendor's own error event on, unless it contains a secret. If the tap itself found the fault, the frame
   * means nothing to the client, so the wire's error is written instead.
   */
  #pushError(frame: Frame): void {
    const failure = this.#tap.observed.error ?? new GatewayError('upstream_error');
    this.state.failure = failure;
    if (failure.vendor === undefined || redactSecrets(frame.data) !== frame.data) this.#writeError(failure);
    else this.#keep(frame);
    this.#close();
  }

  /** Lets the tap add the usage that a client expects. Returns its edits of the last frame. */
  #complete(): readonly ResponseEdit[] {
    const { observed } = this.#tap;
    const usage = observed.usage ?? estimateResponse(this.#inputTokens, observed.outputChars);
    const write = (event: string | undefined, data: string): void => {
      this.#closeFrame();
      this.#keep({ event, data });
    };
    return this.#tap.complete?.(usage, write) ?? [];
  }

  #keep(frame: Frame): void {
    // Another framing has no comments.
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

  /** Completes a last frame without a blank line: some readers would ignore it, or join it with what follows. */
  #closeFrame(): void {
    const last = this.#last;
    if (last !== undefined && !BORDER.test(Buffer.from(last.subarray(-4)).toString('latin1'))) {
      this.#outbox.add(encoder.encode('\n\n'));
    }
    this.#last = undefined;
  }

  /** Ends the response. */
  #close(): void {
    if (this.state.ended) return;
    const closing = this.#last === undefined ? (this.#client.writer?.close() ?? '') : '';
    this.#closeFrame();
    if (closing !== '') this.#outbox.add(encoder.encode(closing));
    this.state.ended = true;
  }
}
