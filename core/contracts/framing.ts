/**
 * One transport event. `raw` is set by decoders only: the exact bytes, separator included, that the native lane relays.
 * A frame with empty data and no event name is not an event (a comment, a blank): codecs skip it, the native lane passes its bytes on.
 */
export interface Frame {
  readonly event: string | undefined;
  readonly data: string;
  readonly raw?: Uint8Array;
}
export type WriteFrame = (event: string | undefined, data: string) => void;

export interface FrameDecoder {
  push(chunk: Uint8Array, emit: (frame: Frame) => void): void;
  /** The bytes are over: emits a last frame that lacked its separator, if its data is there. */
  end(emit: (frame: Frame) => void): void;
}

/** The client side of a framing, as text. */
export interface FrameWriter {
  frame(event: string | undefined, data: string, first: boolean): string;
  /** Behind the last frame of an answer, also of one that failed. */
  close(): string;
  /** Safe before the first frame and between frames on every wire: an SSE comment, or white space. */
  idle(): string;
}

/** Bytes <-> frames. `sse`, `json-array` (Google without alt=sse) and `ndjson` are core's; AWS event stream is contributed by its provider. */
export interface Framing {
  readonly name: string;
  readonly contentType: string;
  /** @param limits.frameBytes a longer frame throws GatewayError `upstream_bad_response` */
  decoder(limits: { readonly frameBytes: number }): FrameDecoder;
  readonly writer?: FrameWriter;
}
