import type { Citation, JsonObject } from '../../../core/api/index.ts';
import { readObjects, readObject } from '../../../core/api/codec.ts';
import { countCodePoints } from '../../../core/api/internal.ts';
import { readCitation, writeCitations } from '../chat-completions/annotations.ts';
import { WIRE } from './shape.ts';

/** Offsets count the code points of the part, as in the canonical form. */
export const readAnnotation = (value: JsonObject): Citation => readCitation(value, 0, { wire: WIRE, value });

/** `annotations` of an `output_text`. */
export const readAnnotations = (value: unknown): readonly Citation[] => readObjects(value).map(readAnnotation);

const writeAnnotation = ({ vendor, url, title, start = 0, end }: Citation, text: string): JsonObject | undefined => {
  if (vendor.wire === WIRE) return readObject(vendor.value);
  if (url === undefined) return undefined;
  return {
    type: 'url_citation',
    start_index: start,
    end_index: end ?? countCodePoints(text),
    url,
    title: title ?? url,
  };
};

/** A citation without offsets covers the whole text. `lost` is called for each citation without an address. */
export const writeAnnotations = (
  citations: readonly Citation[],
  text: string,
  lost: () => void,
): readonly JsonObject[] => writeCitations(citations, (citation) => writeAnnotation(citation, text), lost);
