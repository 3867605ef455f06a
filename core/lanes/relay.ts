import type { Frame } from '../contracts/framing.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { SeenResponse } from './ending.ts';

/**
 * Turns the frames of one streamed answer into what the client is sent. Two kinds: the native one passes frames on, the translated one
 * goes through events. What it has to say collects in an outbox, so that nothing is sent before commit and one write serves a whole chunk.
 */
export interface Relay {
  /** @param source which of the upstream answers the frame is from, where several make one */
  push(frame: Frame, source: number): void;
  /** The bytes of a source are over. Sets `failure` when its answer was not complete. */
  end(source: number): void;
  /** Has this source said all that it will? */
  isOver(source: number): boolean;
  /** Writes the error into the outbox, in the client's wire, and ends the answer. */
  fail(error: GatewayError): void;
  /** What is to be sent now; empties the outbox. */
  take(): string | Uint8Array | undefined;
  /** How far the answer has come. The relay's own; everyone else reads it. */
  readonly state: Readonly<RelayState>;
  readonly seen: SeenResponse;
}

export interface RelayState {
  /** Something that a client would show has come. */
  committed: boolean;
  /** How often the upstream has sent content, shown already or not: what tells an answer that goes on from one that only keeps alive. */
  contents: number;
  /** The wire's terminal has come: nothing of meaning follows. */
  ended: boolean;
  /** The upstream said so itself, or ended too early. Before commit the answer is thrown away; after it the client has been told. */
  failure: GatewayError | undefined;
}

export const createRelayState = (): RelayState => ({ committed: false, contents: 0, ended: false, failure: undefined });
