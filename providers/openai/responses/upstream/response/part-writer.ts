import type { Citation } from '../../../../../core/api/index.ts';
import type { EmitEvent, PartStart, Proof } from '../../../../../core/api/codec.ts';
import { WholeCharacters } from '../../../whole-characters.ts';

/** A response of this wire has one choice. */
const CHOICE = 0;

/** Emits one part of the response. */
export class PartWriter {
  readonly #part: number;
  readonly #characters = new WholeCharacters();
  #written = '';

  constructor(part: number, start: Pick<PartStart, 'kind' | 'call'>, emit: EmitEvent) {
    this.#part = part;
    emit({ type: 'part-start', choice: CHOICE, part, ...start });
  }

  get empty(): boolean {
    return this.#written === '';
  }

  write(text: string, emit: EmitEvent): void {
    this.#written += text;
    this.#emitDelta(this.#characters.add(text), emit);
  }

  /** Takes the whole text, which `done` events and finished items repeat, and writes what no delta brought. */
  complete(text: string, emit: EmitEvent): void {
    if (text.length > this.#written.length && text.startsWith(this.#written))
      this.write(text.slice(this.#written.length), emit);
  }

  end(
    emit: EmitEvent,
    { proof, citations = [] }: { readonly proof?: Proof; readonly citations?: readonly Citation[] } = {},
  ): void {
    this.#emitDelta(this.#characters.end(), emit);
    emit({
      type: 'part-end',
      choice: CHOICE,
      part: this.#part,
      ...(proof === undefined ? {} : { proof }),
      ...(citations.length === 0 ? {} : { citations }),
    });
  }

  #emitDelta(text: string, emit: EmitEvent): void {
    if (text !== '') emit({ type: 'part-delta', choice: CHOICE, part: this.#part, text });
  }
}

/** A part that comes as a whole. */
export function writeWholePart(part: number, start: Pick<PartStart, 'kind' | 'value'>, emit: EmitEvent): void {
  emit({ type: 'part-start', choice: CHOICE, part, ...start });
  emit({ type: 'part-end', choice: CHOICE, part });
}
