/** Looks for stop sequences in a text that arrives in pieces. */
export interface StopMatcher {
  /** Takes the next piece. What is `safe` can belong to no stop sequence any more; `found` is the one that is complete now. */
  push(piece: string): { readonly safe: string; readonly found?: string };
  /** The end of the text: what was held back after all. */
  flush(): string;
}

/** Where matching goes on behind a mismatch: for each length of a match, the longest shorter one that ends alike (Knuth, Morris and Pratt). */
const calculateFallbacks = (sequence: string): Uint16Array => {
  const fallbacks = new Uint16Array(sequence.length);
  for (let at = 1, length = 0; at < sequence.length; at += 1) {
    while (length > 0 && sequence[at] !== sequence[length]) length = fallbacks[length - 1] ?? 0;
    if (sequence[at] === sequence[length]) length += 1;
    fallbacks[at] = length;
  }
  return fallbacks;
};

/** A stop sequence, prepared once for all texts of an answer. */
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
 * Reads unit by unit, so that the cut does not depend on how the text was cut into pieces: the sequence that is complete first counts, of
 * two that are complete at once the longer. Costs the same for any text, however it plays with the sequences.
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
