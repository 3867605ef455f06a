import type { GatewayError } from '../errors/gateway-error.ts';
import type { WriteContext } from './codec-context.ts';

/**
 * One transport event. Decoders set `raw` to its exact bytes, including the separator; the native lane relays them. A
 * frame with empty data and no event name is not an event (a comment, a blank line): codecs skip it, and the native
 * lane relays its bytes.
 */
export interface Frame {
  readonly event: string | undefined;
  readonly data: string;
  readonly raw?: Uint8Array;
}

/** Writes one frame to the client. */
export type WriteFrame = (event: string | undefined, data: string) => void;

/** Splits the bytes of a stream into frames. One instance per stream. */
export interface FrameDecoder {
  /**
   * Called with each chunk as it arrives; emits the frames that it completes.
   * @example push(chunk, emit) { for (const data of lines.add(chunk)) emit({ event: undefined, data }); }
   */
  push(chunk: Uint8Array, emit: (frame: Frame) => void): void;
  /**
   * Called after the last chunk; emits a last frame that has data but no separator.
   * @example end(emit) { if (lines.rest !== '') emit({ event: undefined, data: lines.rest }); }
   */
  end(emit: (frame: Frame) => void): void;
}

/** The text form of a framing, for streams to clients. */
export interface FrameWriter {
  /**
   * @param first whether this is the first frame of the stream
   * @example frame: (event, data) => `event: ${event}\ndata: ${data}\n\n`
   */
  frame(event: string | undefined, data: string, first: boolean): string;
  /**
   * Text after the last frame, also of a stream that failed.
   * @example close: () => 'data: [DONE]\n\n'
   */
  close(): string;
  /**
   * Text that keeps an idle stream open. Valid before the first frame and between frames: an SSE comment, white space.
   * @example idle: () => ': idle\n\n'
   */
  idle(): string;
  /**
   * A comment of one line, between frames or after the last one. Absent: the framing has no comments.
   * @example comment: (text) => `: ${text}\n\n`
   */
  comment?(text: string): string;
}

/**
 * Converts between bytes and frames. The core has `sse`, `json-array` (Google without `alt=sse`) and `ndjson`; a
 * provider contributes others, for example the AWS event stream.
 */
export interface Framing {
  /**
   * Name that `framing` of an endpoint wire refers to.
   * @example name: 'lines'
   */
  readonly name: string;
  /** @example contentType: 'text/plain' */
  readonly contentType: string;
  /**
   * Creates the decoder of one stream.
   * @param limits.frameBytes the decoder throws GatewayError `upstream_bad_response` for a longer frame
   * @example decoder: ({ frameBytes }) => new LineDecoder(frameBytes)
   */
  decoder(limits: { readonly frameBytes: number }): FrameDecoder;
  /**
   * Absent: the framing is used for upstreams only.
   * @example writer: { frame: (_event, data) => `${data}\n`, close: () => '', idle: () => '\n' }
   */
  readonly writer?: FrameWriter;
}

/** The answer to a message: a request to the gateway, or messages where no request is needed. */
export type SocketAnswer = { readonly body: Uint8Array } | { readonly messages: readonly string[] };

/** One request of a client over a WebSocket. */
export interface SocketTurn {
  /** Turns of one stream run one after the other, those of different streams at the same time. */
  readonly stream: string;
  /**
   * Called when no earlier turn of the stream is running.
   * @returns `body`: that of the same request by HTTP, whose response is streamed
   * @throws GatewayError for a request that is invalid
   */
  start(context: Pick<WriteContext, 'now' | 'newId'>): SocketAnswer;
  /** Called with the data of each event of the response. Returns the message for the client. */
  writeEvent(data: string): string;
  /** Called with the body of a response that is not a stream. Returns the message for the client. */
  writeRefusal(status: number, body: string): string;
  /** Called with an error outside of a response. Returns the message for the client. */
  writeError(error: GatewayError): string;
}

/** The state of one socket. */
export interface SocketDialog {
  /**
   * Called with each message of the client.
   * @throws GatewayError for a message that is not a request
   */
  read(message: Buffer): SocketTurn;
  /** Called with an error outside of any turn. Returns the message for the client. */
  writeError(error: GatewayError): string;
  /** Bytes that are kept for later turns. */
  readonly heldBytes: number;
  /** Drops what is kept for later turns, because the memory is needed. */
  forget(): void;
}

/** A wire over a WebSocket: messages of the client are requests, and events of their responses are messages. */
export interface SocketWire {
  /** Called for each socket. */
  open(): SocketDialog;
}
