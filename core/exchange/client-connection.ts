import type { Output } from '../contracts/attempt.ts';
import type { FormRules, Upload } from '../canonical/operation/upload.ts';
import type { JsonLayout } from '../framing/json-layout.ts';

/** Counts the bytes of a body as they arrive, inflated, and what they become. */
export interface BodyMeter {
  /**
   * @param layout of a body that is about to be parsed
   * @throws GatewayError if these bytes, or the values in them, are too many
   */
  take(bytes: number, layout?: JsonLayout): void;
}

/** What one open form holds of the process for its key. */
export interface UploadHold {
  /**
   * Counts bytes before they are written to disk.
   * @throws GatewayError `request_too_large`, `overloaded`, `rate_limit_exceeded`
   */
  store(bytes: number): void;
  /** The file of the form is closed. Called once. */
  release(): void;
}

/** A form that was read. */
export interface ReceivedForm {
  /** Its texts and files by their names, as JSON. */
  readonly raw: Uint8Array;
  readonly upload: ReceivedUpload;
}

/** The files of a form, until they are closed. */
export interface ReceivedUpload extends Upload {
  close(): Promise<void>;
}

/** The client's connection of one exchange, implemented by the HTTP listener. */
export interface ClientConnection extends Output {
  /** Reads the whole body, within its limit. @throws GatewayError 400, 408, 413, 415, and errors of the meter */
  readBody(meter?: BodyMeter): Promise<Uint8Array>;
  /**
   * Reads a form. Its files are not in memory.
   * @param hold counts them; it is released when they are closed, and when the form fails
   * @param meter counts those that are read into memory later
   * @throws GatewayError 400, 408, 413, 415, 503, and errors of the hold
   */
  readForm(rules: FormRules, hold: UploadHold, meter?: BodyMeter): Promise<ReceivedForm>;
  /** Sets status and headers, once. The first write sends them. */
  begin(status: number, headers: Readonly<Record<string, string>>): void;
  /** Keeps the last bytes of the body for `end`: the client must not have them before the exchange is settled. */
  last(bytes: string | Uint8Array): void;
  /**
   * Sends what is kept and ends the response, in an immediate: what the hooks of this exchange have queued in
   * immediates before, such as their write to a file, comes first. Called once, after `settle`.
   * @returns a promise only for a large body: until the client has it or is gone
   */
  end(): Promise<void> | undefined;
  /** Whether a response without a length can end with trailers: not before HTTP/1.1. */
  readonly hasTrailers: boolean;
  /** Sets headers that follow the body. Called before `end`. */
  trail(headers: Readonly<Record<string, string>>): void;
  /** Destroys the connection, for a response that cannot be completed. */
  cut(): void;
  /** `begin` has been called. */
  readonly begun: boolean;
  /** Bytes of the body that have been written or are kept for the end. */
  readonly sent: number;
}
