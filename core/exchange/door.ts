import type { Output } from '../contracts/reply.ts';

/** The client's side of an exchange, as HTTP lends it. */
export interface Door extends Output {
  /** Reads the whole body, within its limit. @throws GatewayError 413, 415, 400 */
  readBody(): Promise<Uint8Array>;
  /** Sends status and headers; once. */
  begin(status: number, headers: Readonly<Record<string, string>>): void;
  end(): void;
  /** Breaks the connection: what has begun cannot be completed. */
  cut(): void;
  /** Status and headers are out. */
  readonly begun: boolean;
  /** Bytes of the body that have been written. */
  readonly sent: number;
}
