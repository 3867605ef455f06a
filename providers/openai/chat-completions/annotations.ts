import { isObject, type JsonObject } from '../../../core/index.ts';

/** Where in the content of the message the cited text stands, in characters. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** This wire nests what an annotation says under its type: `url_citation`, and OpenRouter's `file`. */
const isNested = (citation: JsonObject): boolean => typeof citation['type'] === 'string' && isObject(citation[citation['type']]);

/**
 * A citation of any vendor as this wire's `url_citation`; `undefined` when it has no address.
 * One without offsets (Anthropic's) covers the whole text it stands on.
 */
const writeCitation = (citation: unknown, span: Span): JsonObject | undefined => {
  if (!isObject(citation)) return undefined;
  if (isNested(citation)) return citation;
  const { url, title, start_index: start, end_index: end } = citation;
  if (typeof url !== 'string') return undefined;
  const place = typeof start === 'number' && typeof end === 'number' ? { start_index: start, end_index: end } : { start_index: span.from, end_index: span.to };
  return { type: 'url_citation', url_citation: { ...place, url, title: typeof title === 'string' ? title : url } };
};

/** `message.annotations` of a text; citations that this wire cannot say are reported to `lost`. */
export const writeAnnotations = (citations: readonly unknown[], span: Span, lost: () => void): readonly JsonObject[] =>
  citations.flatMap((citation) => {
    const written = writeCitation(citation, span);
    if (written !== undefined) return [written];
    lost();
    return [];
  });
