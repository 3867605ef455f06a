import { createBufferLimit, BUFFERED_ENTRY_COST } from '../../canonical/buffer-limit.ts';
import { isContent, type EmitEvent, type GenerateEvent } from '../../canonical/event.ts';
import type { Finish } from '../../canonical/finish.ts';
import { weighText } from '../../canonical/text/text-weight.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { EventDecoder, EventEncoder, EventFilter } from '../../contracts/codec.ts';
import type { Frame, FrameWriter } from '../../contracts/framing.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { estimateResponse } from '../../outcome/charges.ts';
import type { SeenResponse } from '../ending.ts';
import type { GuardedResponse } from './content-guard.ts';
import { createChoiceMerger, type ChoiceMerger } from './merge-choices.ts';
import { createRelayState, type Relay } from '../relay.ts';

/** One upstream response. */
interface Source {
  readonly decoder: EventDecoder;
  /** Reverses the fits; undefined if no fit needs it. */
  readonly filter: EventFilter | undefined;
}
export interface TranslatedRelayParts {
  /** Several if each upstream call gives one of the choices. */
  readonly sources: readonly Source[];
  readonly encoder: EventEncoder;
  readonly writer: FrameWriter;
  readonly guard?: GuardedResponse | undefined;
  /** Estimated tokens of the request. */
  readonly inputTokens?: number;
}

/** Most bytes written for one upstream chunk. The Responses API repeats the whole response in its last events. */
const MAX_WRITTEN = 64 * 1_048_576;

/** The memory that the translation keeps of an event, without its text, which is counted elsewhere. */
const weigh = (event: GenerateEvent): number => {
  if (event.type === 'part-start')
    return BUFFERED_ENTRY_COST + (event.call === undefined ? 0 : event.call.id.length + event.call.name.length);
  if (event.type !== 'part-end') return 0;
  return (event.proof?.value.length ?? 0) + (event.citations?.length ?? 0) * BUFFERED_ENTRY_COST;
};

/** Translates codec to codec, event by event. A codec that throws ends the stream with an error event. */
export class TranslatedRelay implements Relay {
  readonly state = createRelayState();
  readonly #sources: readonly Source[];
  readonly #encoder: EventEncoder;
  readonly #writer: FrameWriter;
  readonly #guard: GuardedResponse | undefined;
  readonly #inputTokens: number;
  readonly #merger: ChoiceMerger | undefined;
  /** The first receiver of the events of each source. */
  readonly #emits: readonly EmitEvent[];
  readonly #keep = createBufferLimit();
  readonly #seen: { usage?: Usage; finish?: Finish; model?: string; outputChars: number; reasoned?: boolean } = {
    outputChars: 0,
  };
  #outbox = '';
  #isFirst = true;
  #hasUsage = false;

  constructor({ sources, encoder, writer, guard, inputTokens = 0 }: TranslatedRelayParts) {
    this.#inputTokens = inputTokens;
    this.#sources = sources;
    this.#encoder = encoder;
    this.#writer = writer;
    this.#guard = guard;
    const deliver = guard === undefined ? this.#deliver : this.#inspect;
    this.#merger = sources.length === 1 ? undefined : createChoiceMerger(sources.length, deliver);
    this.#emits = sources.map(({ filter }, source) => this.#emitOf(filter, source, deliver));
  }

  get seen(): SeenResponse {
    const all = this.#merger === undefined ? this.#seen : { ...this.#seen, ...this.#merger.spent };
    if (this.state.refused) return { ...all, refused: 'cut' };
    return this.state.failure === undefined ? all : { ...all, error: this.state.failure };
  }

  push(frame: Frame, source: number): void {
    const [reader, emit] = [this.#sources[source], this.#emits[source]];
    if (reader === undefined || emit === undefined || this.state.ended) return;
    if (frame.data === '' && frame.event === undefined) return;
    try {
      reader.decoder.push(frame, emit);
    } catch (thrown) {
      this.fail(toGatewayError(thrown));
    }
  }

  end(source: number): void {
    const [reader, emit] = [this.#sources[source], this.#emits[source]];
    if (reader === undefined || emit === undefined || this.state.ended) return;
    try {
      reader.decoder.end(emit);
    } catch (thrown) {
      this.fail(toGatewayError(thrown));
    }
  }

  isOver(source: number): boolean {
    return this.state.ended || this.#merger?.isOver(source) === true;
  }

  fail(error: GatewayError): void {
    try {
      this.#deliver({ type: 'error', error });
    } finally {
      this.#close();
    }
  }

  waiting(): Promise<void> | undefined {
    const due = this.#guard?.waiting();
    if (due !== undefined) return this.#decided(due);
    this.#noteGuard();
    return undefined;
  }

  async #decided(due: Promise<unknown>): Promise<void> {
    await due;
    this.#noteGuard();
  }

  /** What a guard has decided later than the event arrived. */
  #noteGuard(): void {
    if (this.#guard === undefined || this.state.ended) return;
    const { isRefused, failure } = this.#guard;
    this.state.refused = isRefused;
    if (failure !== undefined) this.fail(toGatewayError(failure.thrown));
  }

  take(): string | undefined {
    if (this.#outbox === '') return undefined;
    const text = this.#outbox;
    this.#outbox = '';
    return text;
  }

  /** Passes the events of one source through its filter, then to the merger, or directly to the client. */
  #emitOf(filter: EventFilter | undefined, source: number, deliver: EmitEvent): EmitEvent {
    const merger = this.#merger;
    const arrive: EmitEvent = merger === undefined ? deliver : (event) => merger.push(event, source);
    return (event) => {
      if (isContent(event)) this.state.contents += 1;
      const weight = weigh(event);
      if (weight > 0) this.#keep(weight);
      if (filter === undefined) arrive(event);
      else filter.push(event, arrive);
    };
  }

  /** Passes an event through the guards. What they hold back or remove was paid for, and is no reason to fail over. */
  readonly #inspect = (event: GenerateEvent): void => {
    const { state } = this;
    if (state.ended) return;
    this.#observe(event);
    if (isContent(event)) state.committed = true;
    this.#guard?.filter.push(event, this.#deliver);
    state.refused = this.#guard?.isRefused === true;
  };

  readonly #deliver = (event: GenerateEvent): void => {
    const { state } = this;
    if (state.ended) return;
    if (event.type === 'error') state.failure = event.error;
    if (this.#guard === undefined) this.#observe(event);
    if (event.type === 'usage') this.#hasUsage = true;
    else if (event.type === 'response-end' && !this.#hasUsage) this.#estimate();
    this.#encoder.push(event, this.#write);
    if (isContent(event)) state.committed = true;
    if (event.type === 'error' || event.type === 'response-end') this.#close();
  };

  /** Clients expect a usage, which this provider did not report. It is not recorded as reported. */
  #estimate(): void {
    const { finish, outputChars } = this.#seen;
    if (finish?.unfinished === true) return;
    this.#encoder.push({ type: 'usage', usage: estimateResponse(this.#inputTokens, outputChars) }, this.#write);
  }

  #observe(event: GenerateEvent): void {
    const seen = this.#seen;
    if (event.type === 'part-delta') seen.outputChars += weighText(event.text);
    else if (event.type === 'part-start') seen.reasoned ||= event.kind === 'reasoning';
    else if (event.type === 'usage') seen.usage = event.usage;
    else if (event.type === 'choice-end') seen.finish = event.finish;
    else if (event.type === 'response-start' && event.model !== undefined) seen.model = event.model;
  }

  readonly #write = (event: string | undefined, data: string): void => {
    if (this.#outbox.length + data.length > MAX_WRITTEN) {
      this.#outbox = '';
      throw new GatewayError('upstream_bad_response', 'The provider sent more at once than can be translated.');
    }
    this.#outbox += this.#writer.frame(event, data, this.#isFirst);
    this.#isFirst = false;
  };

  #close(): void {
    if (!this.state.ended) this.#outbox += this.#writer.close();
    this.state.ended = true;
  }
}
