import type { Citation, JsonObject } from '../../../../core/api/index.ts';
import { omitUndefined, readObject, readObjects, readText } from '../../../../core/api/codec.ts';
import { WIRE } from '../shape.ts';

const readCitation = (citation: JsonObject): Citation => {
  const { title, source, sourceContent, location } = citation;
  const quote = readObjects(sourceContent)
    .map(({ text }) => readText(text))
    .join('');
  const web = readText(readObject(readObject(location)['web'])['url']);
  return omitUndefined<Citation>({
    url: web || (/^https?:/.test(readText(source)) ? readText(source) : undefined),
    title: readText(title) || undefined,
    quote: quote === '' ? undefined : quote,
    vendor: { wire: WIRE, value: citation },
  });
};

/** The sources of a text: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Citation.html */
export const readCitations = (value: unknown): readonly Citation[] => readObjects(value).map(readCitation);
