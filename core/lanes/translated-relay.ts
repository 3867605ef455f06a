import { isContent, type GenerateEvent } from '../canonical/event.ts';
import type { Finish } from '../canonical/finish.ts';
import type { Usage } from '../canonical/usage.ts';
import type { EventDecoder, EventEncoder, EventFilter, Seen } from '../contracts/codec.ts';
import type { Frame, FrameWriter } from '../contracts/framing.ts';
import { toGatewayError, type GatewayError } from '../errors.ts';
import { createRelayState, type Relay } from './relay.ts';

interface Parts {
  readonly decoder: EventDecoder;
  /** The fits' inverses; absent when no fit needs one. */
  readonly filter: EventFilter | undefined;
  readonly encoder: EventEncoder;
  readonly writer: FrameWriter;
}

/** Codec to codec, event by event. A codec that throws ends the stream as the error it is, never as silence. */
export const createTranslatedRelay = ({ decoder, filter, encoder, writer }: Parts): Relay => {
  let outbox = '';
  let first = true;
  const state = createRelayState();
  const seen: { usage?: Usage; finish?: Finish; model?: string; outputChars: number } = { outputChars: 0 };

  const write = (event: string | undefined, data: string): void => {
    outbox += writer.frame(event, data, first);
    first = false;
  };
  const observe = (event: GenerateEvent): void => {
    if (event.type === 'part-delta') seen.outputChars += event.text.length;
    else if (event.type === 'usage') seen.usage = event.usage;
    else if (event.type === 'choice-end') seen.finish = event.finish;
    else if (event.type === 'response-start' && event.model !== undefined) seen.model = event.model;
  };
  const deliver = (event: GenerateEvent): void => {
    if (state.ended) return;
    if (event.type === 'error') state.failure = event.error;
    observe(event);
    encoder.push(event, write);
    if (isContent(event)) state.committed = true;
    if (event.type === 'error' || event.type === 'response-end') close();
  };
  const close = (): void => {
    if (!state.ended) outbox += writer.close();
    state.ended = true;
  };
  const emit = filter === undefined ? deliver : (event: GenerateEvent) => filter.push(event, deliver);
  const fail = (error: GatewayError): void => {
    try {
      deliver({ type: 'error', error });
    } finally {
      close();
    }
  };
  const guard = (step: () => void): void => {
    try {
      step();
    } catch (thrown) {
      fail(toGatewayError(thrown));
    }
  };

  return {
    push: (frame: Frame) => {
      if (!state.ended && (frame.data !== '' || frame.event !== undefined)) guard(() => decoder.push(frame, emit));
    },
    end: () => {
      if (!state.ended) guard(() => decoder.end(emit));
    },
    fail,
    take: () => {
      if (outbox === '') return undefined;
      const text = outbox;
      outbox = '';
      return text;
    },
    get seen(): Seen {
      return state.failure === undefined ? seen : { ...seen, error: state.failure };
    },
    state,
  };
};
