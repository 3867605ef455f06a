import { mergeSpans, sensitiveText, type Span, type TextDetector } from '../../core/api/internal.ts';
import { compilePattern, type Search, type Searcher, STEPS_OF_SEARCH } from './patterns/search.ts';
import { isInScope, type ScopedRequest } from '../shared/scope.ts';
import type { Direction, RuleOptions } from './schema.ts';

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

const createSearcher = (detector: TextDetector): Searcher => ({
  maxLength: detector.maxLength,
  price: 1,
  search: (text) => searchPieces(detector, text),
});

/** A rule of the configuration, ready to search. */
export interface Rule extends RuleOptions, Searcher {
  readonly refusal: string;
}

/** @throws Error if a pattern is not valid */
export function compileRule(options: RuleOptions): Rule {
  const { name, detect, patterns, message } = options;
  const searchers: readonly Searcher[] = [
    ...detect.map((kind) => createSearcher(sensitiveText[kind])),
    ...patterns.map((pattern) => compilePattern(pattern)),
  ];
  return {
    ...options,
    refusal: message ?? `The content filter of this gateway refused the text (rule "${name}").`,
    maxLength: Math.max(1, ...searchers.map(({ maxLength }) => maxLength)),
    price: searchers.reduce((sum, { price }) => sum + price, 0),
    search: (text) => searchAll(searchers, text),
  };
}

function* searchAll(searchers: readonly Searcher[], text: string): Search {
  const found: Span[] = [];
  for (const { search } of searchers) for (const span of yield* search(text)) found.push(span);
  return found.length > 1 ? mergeSpans(found) : found;
}

export const selectRules = (rules: readonly Rule[], direction: Direction, request: ScopedRequest): readonly Rule[] =>
  rules.filter(
    (rule) =>
      rule.in.includes(direction) &&
      (direction === 'input' || rule.detect.length + rule.patterns.length > 0) &&
      isInScope(rule, request),
  );
