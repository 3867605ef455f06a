import type { JsonObject } from '../../../../../core/api/index.ts';
import type { EmitEvent } from '../../../../../core/api/codec.ts';
import { deriveCallId, readCallHead, readCallInput } from './calls.ts';
import type { ItemContext, ItemReader, Slot } from './item-reader.ts';
import { PartWriter } from './part-writer.ts';

/** Reads a call. Its part starts when its name is known; input that comes earlier waits. */
export class CallReader implements ItemReader {
  readonly holds = 'call';
  readonly #context: ItemContext;
  readonly #order: number;
  readonly #kind: 'function' | 'custom';
  #part: PartWriter | undefined;
  /** Input that came before the name. */
  #waiting = '';

  constructor(context: ItemContext, added: Readonly<JsonObject>, emit: EmitEvent) {
    this.#context = context;
    this.#order = context.nextCall();
    const { kind, name } = readCallHead(added);
    this.#kind = kind;
    if (name !== '') this.#start(added, emit);
  }

  write(_slot: Slot, text: string, emit: EmitEvent): void {
    if (this.#part === undefined) this.#waiting += text;
    else if (text !== '') this.#part.write(text, emit);
  }

  complete(_slot: Slot, whole: string, emit: EmitEvent): void {
    if (this.#part !== undefined) this.#part.complete(whole, emit);
    else if (whole.startsWith(this.#waiting)) this.#waiting = whole;
  }

  end(item: Readonly<JsonObject>, emit: EmitEvent): void {
    const part = this.#part ?? this.#start(item, emit);
    part.complete(readCallInput(item), emit);
    if (part.empty && this.#kind === 'function') part.write('{}', emit);
    part.end(emit);
  }

  #start(item: Readonly<JsonObject>, emit: EmitEvent): PartWriter {
    const { id, name } = readCallHead(item);
    const call = { id: id || deriveCallId(this.#context.turn, this.#order), name, kind: this.#kind };
    const part = new PartWriter(this.#context.nextPart(), { kind: 'tool-call', call }, emit);
    if (this.#waiting !== '') part.write(this.#waiting, emit);
    this.#part = part;
    return part;
  }
}
