import type { Output } from '../contracts/reply.ts';

/** Counts the bytes of a body as they arrive, inflated. */
export interface BodyMeter {
  /** @throws GatewayError where these are too many */
  take(bytes: number): void;
}

/** The client's side of an exchange, as the HTTP listener provides it. */
export interface ClientConnection extends Output {
  /** Reads the whole body, within its limit. @throws GatewayError 400, 408, 413, 415, and what the meter throws */
  readBody(meter?: BodyMeter): Promise<Uint8Array>;
  /** Sends status and headers, once, and does not wait for the body: the first write carries them. */
  begin(status: number, headers: Readonly<Record<string, string>>): void;
  end(): void;
  /** Breaks the connection: what has begun cannot be completed. */
  cut(): void;
  /** Status and headers have been sent. */
  readonly begun: boolean;
  /** Bytes of the body that have been written. */
  readonly sent: number;
}
