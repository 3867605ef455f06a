import type { GatewayError } from '../../errors/gateway-error.ts';
import { createBufferLimit } from '../buffer-limit.ts';
import type { EmitEvent, GenerateEvent } from '../event.ts';

/** What a vendor says of a response when it starts. */
export interface ResponseHead {
  readonly id?: string;
  readonly model?: string;
}

const NO_HEAD: ResponseHead = {};

/** Where the writers of one stream put their events. It starts the response, and drops what follows its end. */
export class EventOutput {
  /** Counts what the stream makes the gateway keep. */
  readonly keep = createBufferLimit();
  #emit: EmitEvent;
  #started = false;
  #ended = false;

  constructor(emit: EmitEvent) {
    this.#emit = emit;
  }

  get started(): boolean {
    return this.#started;
  }

  get ended(): boolean {
    return this.#ended;
  }

  to(emit: EmitEvent): void {
    this.#emit = emit;
  }

  start(head: ResponseHead = NO_HEAD): void {
    if (this.#started || this.#ended) return;
    this.#started = true;
    this.#emit({ type: 'response-start', ...head });
  }

  put(event: Exclude<GenerateEvent, { type: 'response-start' | 'response-end' | 'error' }>): void {
    if (this.#ended) return;
    if (!this.#started) this.start();
    this.#emit(event);
  }

  end(): void {
    if (this.#ended) return;
    this.start();
    this.#ended = true;
    this.#emit({ type: 'response-end' });
  }

  fail(error: GatewayError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#emit({ type: 'error', error });
  }
}
