import { normalizeForSearch, normalizeInSteps, type NormalText } from './normalize-for-search.ts';
import { mergeSpans, type Span } from './sensitive-text.ts';

type Spans = readonly Span[];

/** What is searched to search texts that a reader sees as one. */
export interface SearchPlan {
  readonly searched: readonly string[];
  /**
   * @param found what was found in each of the searched texts, in order and without overlaps
   * @returns the places in each of the original texts
   */
  place(found: readonly Spans[]): readonly Spans[];
}

const toOriginal = (spans: Spans, normal: NormalText | undefined): Spans =>
  normal === undefined ? spans : spans.map((span) => normal.toOriginal(span));

/** The parts of the spans of the joined text, by the texts that were joined. */
function splitSpans(spans: Spans, lengths: readonly number[]): readonly Spans[] {
  let next = 0;
  let offset = 0;
  return lengths.map((length) => {
    const end = offset + length;
    const own: Span[] = [];
    for (let span = spans[next]; span !== undefined && span.start < end; span = spans[next]) {
      if (length > 0) own.push({ start: Math.max(span.start, offset) - offset, end: Math.min(span.end, end) - offset });
      if (span.end > end) break;
      next += 1;
    }
    offset = end;
    return own;
  });
}

/**
 * Each text is searched in its normal form. It is searched as it is too, because a pattern can have characters that no
 * normal text has. What is split between texts is found in all of them joined.
 */
export const planSearch = (texts: readonly string[]): SearchPlan => createPlan(texts, texts.map(normalizeForSearch));

/** The same for long texts. Yields the steps that it takes, of some 10 ns. */
export function* planSearchInSteps(texts: readonly string[]): Generator<number, SearchPlan, void> {
  const normals: (NormalText | undefined)[] = [];
  for (const text of texts) normals.push(yield* normalizeInSteps(text));
  return createPlan(texts, normals);
}

function createPlan(texts: readonly string[], normals: readonly (NormalText | undefined)[]): SearchPlan {
  const isJoined = texts.length > 1;
  if (!isJoined && normals[0] === undefined) return { searched: texts, place: (found) => found };
  const forms = texts.map((text, index) => normals[index]?.text ?? text);
  const changed = texts.filter((_, index) => normals[index] !== undefined);
  return {
    searched: [...forms, ...changed, ...(isJoined ? [forms.join('')] : [])],
    place: (found) => {
      let next = forms.length;
      const split = isJoined
        ? splitSpans(
            found.at(-1) ?? [],
            forms.map(({ length }) => length),
          )
        : [];
      return forms.map((_, index) => {
        const normal = normals[index];
        const asItIs = normal === undefined ? [] : (found[next++] ?? []);
        const inForm = [...(found[index] ?? []), ...(split[index] ?? [])];
        return mergeSpans([...toOriginal(inForm, normal), ...asItIs]);
      });
    },
  };
}
