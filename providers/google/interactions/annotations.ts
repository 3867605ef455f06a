import type { Citation, JsonObject } from '../../../core/api/index.ts';
import { isObject, omitUndefined, readObjects, readText } from '../../../core/api/codec.ts';
import { countBytes } from '../generate-content/client/response/citations.ts';
import { countPoints, readIndex } from '../generate-content/upstream/response/citations.ts';
import { WIRE } from './shape.ts';

const readRange = (bytes: Buffer, value: Readonly<JsonObject>): Pick<Citation, 'start' | 'end'> => {
  const start = readIndex(value['start_index']) ?? 0;
  const end = readIndex(value['end_index']);
  if (end === undefined || end <= start || start >= bytes.length) return {};
  const first = countPoints(bytes.subarray(0, start));
  return { start: first, end: first + countPoints(bytes.subarray(start, end)) };
};

/**
 * The annotations of a text that name its sources. https://ai.google.dev/api/interactions-api
 * @param value `annotations` of the text
 */
export function readAnnotations(value: unknown, text: string): readonly Citation[] {
  const annotations = readObjects(value);
  if (annotations.length === 0) return [];
  const bytes = Buffer.from(text, 'utf8');
  return annotations.map((annotation) => {
    const url = readText(annotation['url']);
    const title = readText(annotation['title'] ?? annotation['name']);
    return {
      ...(url === '' ? {} : { url }),
      ...(title === '' ? {} : { title }),
      ...readRange(bytes, annotation),
      vendor: { wire: WIRE, value: annotation },
    };
  });
}

/**
 * `annotations` of a text. Those of this wire's vendor are written as they came.
 * @param lost is called for each citation without an address
 */
export function writeAnnotations(
  citations: readonly Citation[],
  text: string,
  lost: () => void,
): readonly Readonly<JsonObject>[] {
  if (citations.length === 0) return [];
  const points = [...text];
  return citations.flatMap(({ vendor, url, title, start = 0, end }): readonly Readonly<JsonObject>[] => {
    if (vendor.wire === WIRE && isObject(vendor.value)) return [vendor.value];
    if (url !== undefined)
      return [
        omitUndefined({
          type: 'url_citation',
          url,
          title,
          start_index: countBytes(points, start),
          end_index: countBytes(points, end),
        }),
      ];
    lost();
    return [];
  });
}
