import type { JsonObject } from '../../../../../core/api/index.ts';
import { deriveCallId, readCallHead, readCallInput } from './calls.ts';
import type { ItemContext, ItemReader, Slot } from './item-reader.ts';
import { RepeatedPart } from './repeated-part.ts';

/** Reads a call. Its part starts when its name is known. */
export class CallReader implements ItemReader {
  readonly #input: RepeatedPart;

  constructor({ answer, turn }: ItemContext, added: Readonly<JsonObject>) {
    const { id, name, kind } = readCallHead(added);
    this.#input = new RepeatedPart(answer.call({ id: id || deriveCallId(turn, answer.calls), name, kind }));
  }

  write(_slot: Slot, text: string): void {
    this.#input.write(text);
  }

  complete(_slot: Slot, whole: string): void {
    this.#input.complete(whole);
  }

  end(item: Readonly<JsonObject>): void {
    const { id, name } = readCallHead(item);
    this.#input.complete(readCallInput(item));
    this.#input.part.identify(id, name);
    this.#input.part.end();
  }
}
