import { redactSecrets } from '../canonical/redact.ts';
import type { Tap, Verdict } from '../contracts/codec.ts';
import type { Frame, Framing } from '../contracts/framing.ts';
import { GatewayError } from '../errors.ts';
import { createRelayState, type Relay } from './relay.ts';

const encoder = new TextEncoder();
/** A blank line, in any of the line ends of an event stream. */
const BORDER = /(?:\n|\r(?!\n))(?:\r\n|\n|\r)$/;

/** Frames pass as they came; the tap says of each what it is. */
export const createNativeRelay = (tap: Tap, upstream: Framing, client: Framing): Relay => {
  const same = upstream.name === client.name;
  let outbox: Uint8Array[] = [];
  const state = createRelayState();
  let first = true;
  /** The last frame, where it went out as it came. */
  let last: Uint8Array | undefined;

  const keep = (frame: Frame): void => {
    // A comment has no form in another framing.
    if (!same && frame.data === '') return;
    // What was received, where both sides share a framing whose frames bring their separators along; else it is written anew.
    last = same ? frame.raw : undefined;
    outbox.push(last ?? encoder.encode(client.writer?.frame(frame.event, frame.data, first) ?? frame.data));
    first = false;
  };
  /** A last frame without its border would be no event to some readers, and would swallow what follows. */
  const closeFrame = (): void => {
    if (last !== undefined && !BORDER.test(Buffer.from(last.subarray(-4)).toString('latin1'))) outbox.push(encoder.encode('\n\n'));
    last = undefined;
  };
  /** Nothing follows in this answer. */
  const close = (): void => {
    if (state.ended) return;
    const closing = last === undefined ? (client.writer?.close() ?? '') : '';
    closeFrame();
    if (closing !== '') outbox.push(encoder.encode(closing));
    state.ended = true;
  };
  const tell = (error: GatewayError): void => {
    closeFrame();
    tap.fail(error, (event, data) => keep({ event, data }));
  };
  const handlers: Readonly<Record<Verdict, (frame: Frame) => void>> = {
    hold: keep,
    pass: keep,
    withhold: () => {},
    content: (frame) => {
      state.committed = true;
      state.contents += 1;
      keep(frame);
    },
    end: (frame) => {
      state.committed = true;
      keep(frame);
      close();
    },
    error: (frame) => {
      state.failure = tap.seen.error ?? new GatewayError('upstream_error');
      // The vendor's error event passes as it came, unless it tells a secret; a frame in which the tap itself found the fault would tell the client nothing.
      if (state.failure.vendor === undefined || redactSecrets(frame.data) !== frame.data) tell(state.failure);
      else keep(frame);
      close();
    },
  };

  return {
    push: (frame) => {
      if (!state.ended && state.failure === undefined) handlers[frame.data === '' && frame.event === undefined ? 'pass' : tap.see(frame)](frame);
    },
    end: () => {
      if (state.ended) return;
      state.failure = tap.end();
      if (state.failure === undefined) {
        state.committed = true;
        close();
      }
    },
    isOver: () => state.ended,
    fail: (error) => {
      state.failure = error;
      tell(error);
      close();
    },
    take: () => {
      const [only] = outbox;
      const bytes = outbox.length > 1 ? Buffer.concat(outbox) : only;
      outbox = [];
      return bytes;
    },
    get seen() {
      return tap.seen;
    },
    state,
  };
};
