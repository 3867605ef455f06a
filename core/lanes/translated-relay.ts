import { isContent, type EmitEvent, type GenerateEvent } from '../canonical/event.ts';
import type { Finish } from '../canonical/finish.ts';
import type { Usage } from '../canonical/usage.ts';
import type { EventDecoder, EventEncoder, EventFilter } from '../contracts/codec.ts';
import type { Frame, FrameWriter } from '../contracts/framing.ts';
import { toGatewayError, type GatewayError } from '../errors.ts';
import type { SeenAnswer } from './ending.ts';
import { createChoiceMerger } from './merge-choices.ts';
import { createRelayState, type Relay } from './relay.ts';

/** One upstream answer. */
interface Source {
  readonly decoder: EventDecoder;
  /** The fits' inverses; absent when no fit needs one. */
  readonly filter: EventFilter | undefined;
}
interface Parts {
  /** Several where each call gives one of the choices. */
  readonly sources: readonly Source[];
  readonly encoder: EventEncoder;
  readonly writer: FrameWriter;
}

/** Codec to codec, event by event. A codec that throws ends the stream as the error it is, never as silence. */
export const createTranslatedRelay = ({ sources, encoder, writer }: Parts): Relay => {
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
  const merger = sources.length === 1 ? undefined : createChoiceMerger(sources.length, deliver);
  const readers = sources.map(({ decoder, filter }, source) => {
    const arrive: EmitEvent = merger === undefined ? deliver : (event) => merger.push(event, source);
    const emit = (event: GenerateEvent): void => {
      if (isContent(event)) state.contents += 1;
      if (filter === undefined) arrive(event);
      else filter.push(event, arrive);
    };
    return { decoder, emit };
  });
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
    push: (frame: Frame, source) => {
      const reader = readers[source];
      if (reader !== undefined && !state.ended && (frame.data !== '' || frame.event !== undefined)) guard(() => reader.decoder.push(frame, reader.emit));
    },
    end: (source) => {
      const reader = readers[source];
      if (reader !== undefined && !state.ended) guard(() => reader.decoder.end(reader.emit));
    },
    isOver: (source) => state.ended || merger?.isOver(source) === true,
    fail,
    take: () => {
      if (outbox === '') return undefined;
      const text = outbox;
      outbox = '';
      return text;
    },
    get seen(): SeenAnswer {
      const all = merger === undefined ? seen : { ...seen, ...merger.spent };
      return state.failure === undefined ? all : { ...all, error: state.failure };
    },
    state,
  };
};
