import type { PartWriter } from '../../../../../core/api/codec.ts';

/** A part whose whole text `done` events and finished items repeat: what no delta has brought is taken from them. */
export class RepeatedPart {
  readonly part: PartWriter;
  #written = '';

  constructor(part: PartWriter) {
    this.part = part;
  }

  write(text: string): void {
    this.#written += text;
    this.part.write(text);
  }

  complete(whole: string): void {
    if (whole.length > this.#written.length && whole.startsWith(this.#written))
      this.write(whole.slice(this.#written.length));
  }
}
