import type { Citation, JsonObject } from '../../../core/api/index.ts';
import { isObject, omitUndefined, readList, readObject, readObjects, readText } from '../../../core/api/codec.ts';
import { countCodePoints } from '../../../core/api/internal.ts';
import { WIRE } from './shape.ts';

/** The position of a text in the content of the message, in code points. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const readOffset = (value: unknown, from: number): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= from ? value - from : undefined;

/**
 * The citation of an annotation. Offsets count code points.
 * @param from the position of the part that the annotation belongs to
 */
export const readCitation = (annotation: JsonObject, from: number, vendor: Citation['vendor']): Citation => {
  const start = readOffset(annotation['start_index'], from);
  const end = readOffset(annotation['end_index'], from);
  return omitUndefined({
    url: readText(annotation['url']) || undefined,
    title: readText(annotation['title']) || undefined,
    ...(start === undefined || end === undefined || end <= start ? {} : { start, end }),
    vendor,
  });
};

/** The members are nested under the type; some vendors write them flat. */
const readAnnotation = (value: JsonObject, from: number): Citation =>
  readCitation(isObject(value['url_citation']) ? value['url_citation'] : value, from, { wire: WIRE, value });

export const readAnnotations = (value: unknown, from = 0): readonly Citation[] =>
  readObjects(value).map((annotation) => readAnnotation(annotation, from));

/** Where Perplexity lists what its text refers to as [1], [2]: https://docs.perplexity.ai/api-reference */
export const sourceMembers: readonly string[] = ['search_results', 'citations'];

const NO_SOURCES: readonly Citation[] = [];

const citeSource = (url: string, title: string): Citation => ({
  url,
  ...(title === '' ? {} : { title }),
  vendor: { wire: WIRE, value: { type: 'url_citation', url_citation: { url, title: title || url } } },
});

/** The sources of a response or chunk: the search results with their titles, else the addresses. */
export function readSources({ search_results: results, citations }: Readonly<JsonObject>): readonly Citation[] {
  if (results === undefined && citations === undefined) return NO_SOURCES;
  const listed = readObjects(results);
  const sources =
    listed.length > 0
      ? listed.map(({ url, title }) => citeSource(readText(url), readText(title)))
      : readList(citations).map((url) => citeSource(readText(url), ''));
  return sources.filter(({ url }) => url !== '');
}

/** A `url_citation`; `undefined` for a citation without an address. Without offsets it covers the whole text. */
const writeAnnotation = ({ vendor, url, title, start, end }: Citation, span: Span): JsonObject | undefined => {
  if (vendor.wire === WIRE) return readObject(vendor.value);
  if (url === undefined) return undefined;
  const place =
    start === undefined || end === undefined
      ? { start_index: span.from, end_index: span.to }
      : { start_index: span.from + start, end_index: span.from + end };
  return { type: 'url_citation', url_citation: { ...place, url, title: title ?? url } };
};

/** `lost` is called for each citation that cannot be written. */
export const writeCitations = (
  citations: readonly Citation[],
  write: (citation: Citation) => JsonObject | undefined,
  lost: () => void,
): readonly JsonObject[] =>
  citations.flatMap((citation) => {
    const written = write(citation);
    if (written === undefined) lost();
    return written === undefined ? [] : [written];
  });

/** `message.annotations` of a text. */
export const writeAnnotations = (citations: readonly Citation[], span: Span, lost: () => void): readonly JsonObject[] =>
  writeCitations(citations, (citation) => writeAnnotation(citation, span), lost);

/** The span of a text that starts at `from`. */
export const spanOf = (text: string, from: number): Span => ({ from, to: from + countCodePoints(text) });
