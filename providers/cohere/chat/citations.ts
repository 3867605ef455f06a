import type { Citation, JsonObject } from '../../../core/api/index.ts';
import { isObject, omitUndefined, readObject, readObjects, readText } from '../../../core/api/codec.ts';
import { WIRE } from './shape.ts';

/** What a source says of itself: a document has members of the caller's choice, and a tool what it returned. */
const describe = (source: Readonly<JsonObject>): Pick<Citation, 'url' | 'title'> => {
  const document = readObject(source['document'] ?? source['tool_output']);
  const [url, title] = [readText(document['url']), readText(document['title'])];
  return omitUndefined({ url: url === '' ? undefined : url, title: title === '' ? undefined : title });
};

const readPlace = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

/** A range of the text, with its first source. The vendor's own form has all of them. */
export function readCitation(value: unknown): Citation | undefined {
  if (!isObject(value)) return undefined;
  const [source = {}] = readObjects(value['sources']);
  const [start, end] = [readPlace(value['start']), readPlace(value['end'])];
  const range = start === undefined || end === undefined || end < start ? {} : { start, end };
  return { ...describe(source), ...range, vendor: { wire: WIRE, value } };
}

/** Citations of a plan, or of thoughts, are not those of the text. */
export const isOfText = (citation: Readonly<JsonObject>): boolean =>
  citation['type'] === undefined || citation['type'] === 'TEXT_CONTENT';
