import type { Span } from './sensitive-text.ts';

/** A text as it is searched, where that differs from the text itself. */
export interface NormalText {
  readonly text: string;
  /** The place in the original text. What was removed at the edges of the place does not belong to it. */
  toOriginal(span: Span): Span;
}

/** A range of the original text, and the range that it became. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly until: number;
}

const BEYOND_ASCII = /\P{ASCII}/u;
/** Characters that no reader sees: zero-width spaces and joiners, soft hyphens, directions, tags, variants. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu;
/**
 * What is removed, and what NFKC can change: a character with its marks, and characters with a compatible form. The
 * last property includes upper case as well, which is then found to be unchanged. At most 30 marks, as in the
 * stream-safe format of UAX #15: more of them take quadratic time.
 */
const CHANGEABLE =
  /(?<hidden>[\p{Default_Ignorable_Code_Point}\p{Cf}]+)|\P{M}?\p{M}{1,30}|\p{Changes_When_NFKC_Casefolded}/gu;

export const withoutHidden = (text: string): string => (BEYOND_ASCII.test(text) ? text.replaceAll(HIDDEN, '') : text);

class ChangedText implements NormalText {
  readonly text: string;
  readonly #changes: readonly Change[];

  constructor(text: string, changes: readonly Change[]) {
    this.text = text;
    this.#changes = changes;
  }

  toOriginal({ start, end }: Span): Span {
    const first = this.#lastUntil(start);
    const last = this.#lastUntil(end - 1);
    return {
      start: first === undefined ? start : start < first.until ? first.from : first.to + start - first.until,
      end: last === undefined ? end : end <= last.until ? last.to : last.to + end - last.until,
    };
  }

  /** The last change that begins at or before a character of the searched text. */
  #lastUntil(character: number): Change | undefined {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.at ?? 0) <= character) low = middle + 1;
      else high = middle;
    }
    return this.#changes[low - 1];
  }
}

/** Steps of some 10 ns: what can change, what does and is kept, and what is done before a pause. */
const STEPS_OF_CHANGEABLE = 30;
const STEPS_OF_CHANGE = 70;
const STEPS_OF_PAUSE = 100_000;

/**
 * The text in which patterns are searched: in the form NFKC, in which a fullwidth `＠` is `@`, and without the
 * characters that no reader sees. Marks are joined with the character before them only: other compositions, as of
 * Hangul, are left. Yields the steps that it takes.
 * @returns undefined if the text is in this form: nothing is allocated for ASCII
 */
export function* normalizeInSteps(text: string): Generator<number, NormalText | undefined, void> {
  if (!BEYOND_ASCII.test(text)) return undefined;
  const changes: Change[] = [];
  let normal = '';
  let copied = 0;
  let steps = 0;
  for (const { 0: found, 1: hidden, index: from } of text.matchAll(CHANGEABLE)) {
    const changed = hidden === undefined ? found.normalize('NFKC').replaceAll(HIDDEN, '') : '';
    steps += STEPS_OF_CHANGEABLE;
    if (steps >= STEPS_OF_PAUSE) {
      yield steps;
      steps = 0;
    }
    if (changed === found) continue;
    steps += STEPS_OF_CHANGE + changed.length;
    normal += text.slice(copied, from);
    const at = normal.length;
    normal += changed;
    copied = from + found.length;
    changes.push({ from, to: copied, at, until: normal.length });
  }
  yield steps;
  return changes.length === 0 ? undefined : new ChangedText(normal + text.slice(copied), changes);
}

/** The same at once, for short texts. */
export function normalizeForSearch(text: string): NormalText | undefined {
  const steps = normalizeInSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
