import type { JsonObject } from '../../../../../core/api/index.ts';
import type { EventEncoder, GenerateEvent, WriteContext, WriteFrame } from '../../../../../core/api/codec.ts';
import { writeErrorEvent } from './error.ts';
import { InteractionWriter } from './response.ts';

/** Writes events as named frames, whose data repeats the name, and the frame that follows the last of them. */
class InteractionEncoder implements EventEncoder {
  readonly #writer: InteractionWriter;
  #write: WriteFrame = () => {};

  constructor(context: WriteContext) {
    this.#writer = new InteractionWriter(context, (type, members) => this.#emit(type, members));
  }

  push(event: GenerateEvent, write: WriteFrame): void {
    this.#write = write;
    if (event.type === 'error') return writeErrorEvent(event.error, write);
    this.#writer.push(event);
    if (event.type === 'response-end') write('done', '[DONE]');
  }

  #emit(type: string, members: JsonObject): void {
    this.#write(type, JSON.stringify({ event_type: type, ...members }));
  }
}

/** https://ai.google.dev/gemini-api/docs/interactions/streaming */
export const encodeStream = (context: WriteContext): EventEncoder => new InteractionEncoder(context);
