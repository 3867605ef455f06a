import type { Finish, GatewayError, JsonObject, Usage } from '../../../../../core/api/index.ts';
import {
  createPartQueue,
  type EventEncoder,
  type GenerateEvent,
  type PartEvent,
  type WriteContext,
  type WriteFrame,
} from '../../../../../core/api/codec.ts';
import { writeFinish } from '../../finish.ts';
import { writeUsage } from '../../usage.ts';
import { BlockWriter } from './block-writer.ts';
import { encodeErrorBody } from './error.ts';
import { chooseId } from './response.ts';

const noFrame: WriteFrame = () => {};

class StreamEncoder implements EventEncoder {
  readonly #context: WriteContext;
  readonly #queue: (event: PartEvent) => void;
  #frame = noFrame;
  #id: string | undefined;
  #model = '';
  #usage: Usage | undefined;
  #finish: Finish = { reason: 'stop' };
  #started = false;

  constructor(context: WriteContext) {
    this.#context = context;
    const blocks = new BlockWriter((event, data) => this.#write(event, data), context);
    this.#queue = createPartQueue((event) => blocks.push(event));
  }

  push(event: GenerateEvent, frame: WriteFrame): void {
    this.#frame = frame;
    switch (event.type) {
      case 'response-start':
        return this.#setHead(event);
      case 'part-start':
      case 'part-delta':
      case 'part-end':
        return this.#writePart(event);
      case 'choice-end':
        return this.#setFinish(event);
      case 'usage':
        this.#usage = event.usage;
        return;
      case 'response-end':
        return this.#endMessage();
      case 'error':
        return this.#writeError(event.error);
    }
  }

  #setHead({ id, model = '' }: { readonly id?: string; readonly model?: string }): void {
    this.#id = id;
    this.#model = model;
  }

  /** The wire has one choice. */
  #writePart(event: PartEvent): void {
    if (event.choice !== 0) return;
    this.#startMessage();
    this.#queue(event);
  }

  #setFinish({ choice, finish }: { readonly choice: number; readonly finish: Finish }): void {
    if (choice === 0) this.#finish = finish;
  }

  #startMessage(): void {
    if (this.#started) return;
    this.#started = true;
    const message = {
      id: chooseId(this.#id, this.#context.newId),
      type: 'message',
      role: 'assistant',
      model: this.#model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      container: null,
      usage: writeUsage(this.#usage, this.#context.inputEstimate),
    };
    this.#write('message_start', { type: 'message_start', message });
  }

  #endMessage(): void {
    this.#startMessage();
    this.#write('message_delta', {
      type: 'message_delta',
      delta: { ...writeFinish(this.#finish), container: null },
      usage: writeUsage(this.#usage, this.#context.inputEstimate),
    });
    this.#write('message_stop', { type: 'message_stop' });
  }

  /** Closes neither block nor message: a client that saw one closed would run a call that was cut off. */
  #writeError(error: GatewayError): void {
    this.#write('error', encodeErrorBody(error));
  }

  #write(event: string, data: JsonObject): void {
    this.#frame(event, JSON.stringify(data));
  }
}

/**
 * Encodes the stream of this wire: `message_start`, content blocks one after the other, `message_delta`,
 * `message_stop`, and no `[DONE]`. `message_start` waits for the first block, so that it can carry the input usage of
 * providers that report it early.
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export const encodeStream = (context: WriteContext): EventEncoder => new StreamEncoder(context);
