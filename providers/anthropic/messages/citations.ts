import type { Citation, JsonObject } from '../../../core/api/index.ts';
import { isObject, omitUndefined, readObjects } from '../../../core/api/codec.ts';
import { WIRE } from './shape.ts';

/** Web search results can be sent back only with the vendor's own index of them. */
const SEARCH_RESULT = 'web_search_result_location';

const asText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A `*_location` of this wire. It refers to its whole text block. */
const readCitation = (value: JsonObject): Citation =>
  omitUndefined({
    url: asText(value['url']),
    title: asText(value['title'] ?? value['document_title']),
    quote: asText(value['cited_text']),
    vendor: { wire: WIRE, value },
  });

export const readCitations = (value: unknown): readonly Citation[] => readObjects(value).map(readCitation);

/** The citations of a text, if it has any. */
export function citationsOf(value: unknown): { readonly citations?: readonly Citation[] } {
  const citations = readCitations(value);
  return citations.length === 0 ? {} : { citations };
}

/** Citations for clients: those of this wire unchanged, others as search results if they have a URL. */
export const encodeCitations = (citations: readonly Citation[], lost: () => void): readonly unknown[] =>
  citations.flatMap(({ vendor, url, title, quote }) => {
    if (vendor.wire === WIRE) return [vendor.value];
    if (url !== undefined)
      return [{ type: SEARCH_RESULT, url, title: title ?? null, cited_text: quote ?? '', encrypted_index: '' }];
    lost();
    return [];
  });

/** Citations that the vendor accepts back: its own, without those that {@link encodeCitations} made of others. */
export const encodeOwnCitations = (citations: readonly Citation[]): readonly unknown[] =>
  citations.flatMap(({ vendor: { wire, value } }) =>
    wire === WIRE && isObject(value) && value['encrypted_index'] !== '' ? [value] : [],
  );
