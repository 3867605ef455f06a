import type { JsonObject } from '../../../../../core/api/index.ts';
import type { EventEncoder, GenerateEvent, WriteContext, WriteFrame } from '../../../../../core/api/codec.ts';
import { ResponseWriter } from './response.ts';

/** Writes events as named frames, numbered from 0 over the whole stream, without `[DONE]`. */
class ResponseEncoder implements EventEncoder {
  readonly #writer: ResponseWriter;
  #write: WriteFrame = () => {};
  #sequence = 0;

  constructor(context: WriteContext) {
    this.#writer = new ResponseWriter(context, (type, members) => this.#emit(type, members));
  }

  push(event: GenerateEvent, write: WriteFrame): void {
    this.#write = write;
    this.#writer.push(event);
  }

  #emit(type: string, members: JsonObject): void {
    this.#write(type, JSON.stringify({ type, sequence_number: this.#sequence++, ...members }));
  }
}

export const encodeStream = (context: WriteContext): EventEncoder => new ResponseEncoder(context);
