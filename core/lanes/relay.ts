import type { Frame } from '../contracts/framing.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { SeenResponse } from './ending.ts';

/**
 * Turns the frames of one streamed response into the bytes for the client. The native relay passes frames on, the
 * translated one decodes them to events and encodes those. Output collects in an outbox: nothing is sent before commit,
 * and one write sends all frames of a chunk.
 */
export interface Relay {
  /** @param source index of the upstream response that the frame is from, where several make up one response */
  push(frame: Frame, source: number): void;
  /** The body of a source has ended. Sets `failure` if its response was not complete. */
  end(source: number): void;
  /** Whether the response of this source is complete. */
  isOver(source: number): boolean;
  /** Writes the error into the outbox, in the client's wire, and ends the response. */
  fail(error: GatewayError): void;
  /**
   * Resolves when a guard has decided about what is held back; undefined: nothing waits for one. Never rejects. Until
   * then, nothing must be pushed and the response is not over.
   */
  waiting?(): Promise<void> | undefined;
  /** Returns the content of the outbox and empties it. */
  take(): string | Uint8Array | undefined;
  /** The progress of the response. Only the relay writes it. */
  readonly state: Readonly<RelayState>;
  readonly seen: SeenResponse;
}

export interface RelayState {
  /** The first content, or the end of the response, has arrived. No other target is tried from here on. */
  committed: boolean;
  /** How many frames or events with content have arrived. It distinguishes progress from keepalives. */
  contents: number;
  /** The terminal of the wire has arrived or was written: nothing follows. */
  ended: boolean;
  /** The upstream sent an error or ended too early. Before commit the attempt fails; later the client gets it. */
  failure: GatewayError | undefined;
  /** A guard has ended the response: the upstream is cut. */
  refused: boolean;
}

export const createRelayState = (): RelayState => ({
  committed: false,
  contents: 0,
  ended: false,
  failure: undefined,
  refused: false,
});
