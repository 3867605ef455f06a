import type { Tap, Verdict } from '../contracts/codec.ts';
import type { Frame, Framing } from '../contracts/framing.ts';
import { GatewayError } from '../errors.ts';
import type { Relay } from './relay.ts';

const encoder = new TextEncoder();

/** Bytes of a frame as the client gets them: those received where both sides share a framing, else written anew. */
const bytesOf = (frame: Frame, client: Framing, same: boolean, first: boolean): Uint8Array => {
  if (same && frame.raw !== undefined) return frame.raw;
  return encoder.encode(client.writer?.frame(frame.event, frame.data, first) ?? frame.data);
};

/** Frames pass as they came; the tap says of each what it is. */
export const createNativeRelay = (tap: Tap, upstream: Framing, client: Framing): Relay => {
  const same = upstream.name === client.name;
  let outbox: Uint8Array[] = [];
  let committed = false;
  let ended = false;
  let failure: GatewayError | undefined;
  let first = true;

  const keep = (frame: Frame): void => {
    outbox.push(bytesOf(frame, client, same, first));
    first = false;
  };
  const handlers: Readonly<Record<Verdict, (frame: Frame) => void>> = {
    hold: keep,
    pass: keep,
    withhold: () => {},
    content: (frame) => {
      committed = true;
      keep(frame);
    },
    end: (frame) => {
      ended = true;
      committed = true;
      keep(frame);
    },
    error: (frame) => {
      ended = true;
      failure = tap.seen.error ?? new GatewayError('upstream_error');
      keep(frame);
    },
  };

  return {
    push: (frame) => {
      if (!ended) handlers[frame.data === '' && frame.event === undefined ? 'pass' : tap.see(frame)](frame);
    },
    end: () => {
      if (ended) return;
      failure = tap.end();
      if (failure === undefined) {
        ended = true;
        committed = true;
      }
    },
    fail: (error) => {
      ended = true;
      failure = error;
      tap.fail(error, (event, data) => keep({ event, data }));
    },
    take: () => {
      const [only] = outbox;
      const bytes = outbox.length > 1 ? Buffer.concat(outbox) : only;
      outbox = [];
      return bytes;
    },
    get committed() {
      return committed;
    },
    get ended() {
      return ended;
    },
    get failure() {
      return failure;
    },
    get seen() {
      return tap.seen;
    },
  };
};
