import {
  type Citation,
  countCodePoints,
  isObject,
  type JsonObject,
  readList,
  readObject,
  readText,
} from '../../../core/index.ts';
import { WIRE } from './shape.ts';

const readOffset = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** One annotation. Offsets count the code points of its own part, as the canonical form does. */
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

/** The same on the way out: a citation without offsets covers the whole text; those without an address are reported to `lost`. */
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
