import type { Output } from '../contracts/attempt.ts';
import type { JsonLayout } from '../framing/json-layout.ts';

/** Counts the bytes of a body as they arrive, inflated, and what they become. */
export interface BodyMeter {
  /**
   * @param layout of a body that is about to be parsed
   * @throws GatewayError if these bytes, or the values in them, are too many
   */
  take(bytes: number, layout?: JsonLayout): void;
}

/** The client's connection of one exchange, implemented by the HTTP listener. */
export interface ClientConnection extends Output {
  /** Reads the whole body, within its limit. @throws GatewayError 400, 408, 413, 415, and errors of the meter */
  readBody(meter?: BodyMeter): Promise<Uint8Array>;
  /** Sets status and headers, once. The first write sends them. */
  begin(status: number, headers: Readonly<Record<string, string>>): void;
  end(): void;
  /** Whether a response without a length can end with trailers: not before HTTP/1.1. */
  readonly hasTrailers: boolean;
  /** Sets headers that follow the body. Called before `end`. */
  trail(headers: Readonly<Record<string, string>>): void;
  /** Destroys the connection, for a response that cannot be completed. */
  cut(): void;
  /** `begin` has been called. */
  readonly begun: boolean;
  /** Bytes of the body that have been written. */
  readonly sent: number;
}
