const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/**
 * Joins fragments of a text without cutting a character. Vendors split text between the halves of a surrogate pair; the
 * first half is held back until the second has come, because alone it would be shown as a broken character.
 */
export class WholeCharacters {
  #half = '';

  /** Returns what can be shown now: the half that was held back and the fragment, without a first half at its end. */
  add(fragment: string): string {
    const text = this.#half + fragment;
    if (!isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.#half = '';
      return text;
    }
    this.#half = text.slice(-1);
    return text.slice(0, -1);
  }

  /** Returns the half that was never completed, at the end of the text. */
  end(): string {
    return this.#half;
  }
}
