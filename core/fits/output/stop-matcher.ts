/** Finds stop sequences in a text that arrives in pieces. */
export interface StopMatcher {
  /**
   * Reads the next piece. `safe` is text that cannot belong to a stop sequence any more; `found` is the sequence that
   * is now complete.
   */
  push(piece: string): { readonly safe: string; readonly found?: string };
  /** Called at the end of the text: returns the buffered remainder. */
  flush(): string;
}

/** For each length of a match, the longest shorter match with the same end (Knuth, Morris and Pratt). */
const calculateFallbacks = (sequence: string): Uint16Array => {
  const fallbacks = new Uint16Array(sequence.length);
  for (let at = 1, length = 0; at < sequence.length; at += 1) {
    while (length > 0 && sequence[at] !== sequence[length]) length = fallbacks[length - 1] ?? 0;
    if (sequence[at] === sequence[length]) length += 1;
    fallbacks[at] = length;
  }
  return fallbacks;
};

/** A stop sequence, prepared once for all texts of a response. */
export interface StopSequence {
  readonly sequence: string;
  readonly fallbacks: Uint16Array;
}

/** The longest first. */
export const prepareStops = (sequences: readonly string[]): readonly StopSequence[] =>
  sequences
    .toSorted((a, b) => b.length - a.length)
    .map((sequence) => ({ sequence, fallbacks: calculateFallbacks(sequence) }));

/** How much of a sequence the text ends with. */
interface Candidate extends StopSequence {
  matched: number;
}

const advance = (candidate: Candidate, unit: string): void => {
  const { sequence, fallbacks } = candidate;
  while (candidate.matched > 0 && sequence[candidate.matched] !== unit)
    candidate.matched = fallbacks[candidate.matched - 1] ?? 0;
  if (sequence[candidate.matched] === unit) candidate.matched += 1;
};

/**
 * Reads character by character, so that the cut does not depend on the pieces. The sequence that is complete first
 * counts, of two at once the longer. The cost is linear for any text.
 */
export function createStopMatcher(stops: readonly StopSequence[]): StopMatcher {
  const candidates = stops.map((stop): Candidate => ({ ...stop, matched: 0 }));
  let held = '';
  return {
    push(piece) {
      const text = held + piece;
      for (let at = held.length; at < text.length; at += 1) {
        const unit = text[at] ?? '';
        for (const candidate of candidates) advance(candidate, unit);
        const complete = candidates.find(({ matched, sequence }) => matched === sequence.length);
        if (complete === undefined) continue;
        held = '';
        return { safe: text.slice(0, at + 1 - complete.sequence.length), found: complete.sequence };
      }
      const longest = candidates.reduce((most, { matched }) => Math.max(most, matched), 0);
      held = text.slice(text.length - longest);
      return { safe: text.slice(0, text.length - longest) };
    },
    flush: () => {
      const rest = held;
      held = '';
      return rest;
    },
  };
}
