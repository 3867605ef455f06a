import { createKeptLimit, KEPT_ENTRY } from '../canonical/kept-limit.ts';
import { isContent, type EmitEvent, type GenerateEvent } from '../canonical/event.ts';
import type { Finish } from '../canonical/finish.ts';
import { weighText } from '../canonical/text-weight.ts';
import type { Usage } from '../canonical/usage.ts';
import type { EventDecoder, EventEncoder, EventFilter } from '../contracts/codec.ts';
import type { Frame, FrameWriter } from '../contracts/framing.ts';
import { GatewayError, toGatewayError } from '../errors.ts';
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

/** What one chunk of the upstream may become: Responses repeats the whole answer in the events that end it. */
const MOST_WRITTEN = 64 * 1_048_576;

/** What the conversion keeps of an event beside its text, which is counted where it is kept. */
const weigh = (event: GenerateEvent): number => {
  if (event.type === 'part-start') return KEPT_ENTRY + (event.call === undefined ? 0 : event.call.id.length + event.call.name.length);
  if (event.type !== 'part-end') return 0;
  return (event.proof?.value.length ?? 0) + (event.citations?.length ?? 0) * KEPT_ENTRY;
};

/** Codec to codec, event by event. A codec that throws ends the stream as the error it is, never as silence. */
export const createTranslatedRelay = ({ sources, encoder, writer }: Parts): Relay => {
  let outbox = '';
  let first = true;
  const state = createRelayState();
  const seen: { usage?: Usage; finish?: Finish; model?: string; outputChars: number; reasoned?: boolean } = { outputChars: 0 };

  const keep = createKeptLimit();
  const write = (event: string | undefined, data: string): void => {
    if (outbox.length + data.length > MOST_WRITTEN) {
      outbox = '';
      throw new GatewayError('upstream_bad_response', 'The provider sent more at once than can be converted.');
    }
    outbox += writer.frame(event, data, first);
    first = false;
  };
  const observe = (event: GenerateEvent): void => {
    if (event.type === 'part-delta') seen.outputChars += weighText(event.text);
    else if (event.type === 'part-start') seen.reasoned ||= event.kind === 'reasoning';
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
      const weight = weigh(event);
      if (weight > 0) keep(weight);
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
