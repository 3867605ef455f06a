import type { Citation, JsonObject } from '../../../core/api/index.ts';
import { isObject, readList, readObject, readText } from '../../../core/api/codec.ts';
import { countCodePoints } from '../../../core/api/internal.ts';
import { WIRE } from './shape.ts';

const readOffset = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** Offsets count the code points of the part, as in the canonical form. */
export function readAnnotation(value: JsonObject): Citation {
  const url = readText(value['url']);
  const title = readText(value['title']);
  const start = readOffset(value['start_index']);
  const end = readOffset(value['end_index']);
  return {
    ...(url === '' ? {} : { url }),
    ...(title === '' ? {} : { title }),
    ...(start === undefined || end === undefined || end <= start ? {} : { start, end }),
    vendor: { wire: WIRE, value },
  };
}

/** `annotations` of an `output_text`. */
export const readAnnotations = (value: unknown): readonly Citation[] =>
  readList(value).filter(isObject).map(readAnnotation);

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
): readonly JsonObject[] =>
  citations.flatMap((citation) => {
    const written = writeAnnotation(citation, text);
    if (written !== undefined) return [written];
    lost();
    return [];
  });
