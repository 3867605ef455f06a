import type { Span, TextDetector } from '../../core/api/internal.ts';
import { STEPS_OF_SEARCH, type Search, type Searcher } from './patterns/search.ts';

/** Characters that are searched at a time. */
const PIECE = 16_384;
/** Characters around a match that a detector reads. */
const AROUND = 2;

/** Finds what the detector finds in the whole text, piece by piece. */
function* searchPieces({ find, maxLength }: TextDetector, text: string): Search {
  const spans: Span[] = [];
  for (let from = 0; from < text.length;) {
    const to = from + PIECE;
    const start = Math.max(0, from - AROUND);
    let next = to;
    for (const span of find(text.slice(start, to + maxLength + AROUND), from - start)) {
      if (start + span.start >= to) break;
      spans.push({ start: start + span.start, end: start + span.end });
      next = Math.max(next, start + span.end);
    }
    yield Math.min(text.length, next) - from + STEPS_OF_SEARCH;
    from = next;
  }
  return spans;
}

export const createSearcher = (detector: TextDetector): Searcher => ({
  maxLength: detector.maxLength,
  price: 1,
  search: (text) => searchPieces(detector, text),
});
