import type { JsonObject, MediaPart, Part } from '../../../../../core/api/index.ts';
import { isObject, type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { partPath } from '../../../generate-content/extra-members.ts';
import { writeAnnotations } from '../../annotations.ts';
import { contentTypeOf, WIRE } from '../../shape.ts';

/** Where content is written, and how its losses are reported. */
export interface ContentContext {
  /** The path in loss reports: `input[2].parts[0]`. */
  readonly path: string;
  /** The wire of the client. */
  readonly wire: string;
  readonly lose: Lose;
}

const resolutions: Readonly<Record<string, string | undefined>> = { low: 'low', high: 'high', auto: undefined };

/** A wildcard type is omitted: the vendor detects the type. */
const mimeTypeOf = ({ mediaType }: MediaPart['media']): string | undefined =>
  mediaType === '' || mediaType.includes('*') ? undefined : mediaType === 'image/jpg' ? 'image/jpeg' : mediaType;

function encodeMedia({ media, name, detail }: MediaPart, { path, wire, lose }: ContentContext): JsonObject {
  const isKnown = detail === undefined || detail in resolutions;
  if (!isKnown) lose(`${path}.detail`, 'dropped', `interactions has no resolution '${detail}'`);
  const kept = wire === WIRE ? name : undefined;
  if (name !== kept) lose(`${path}.name`, 'dropped', 'interactions has no file names');
  return omitUndefined({
    type: contentTypeOf(media.mediaType),
    mime_type: mimeTypeOf(media),
    ...('base64' in media ? { data: media.base64 } : { uri: 'url' in media ? media.url : media.fileId }),
    name: kept,
    resolution: detail === undefined ? undefined : resolutions[detail],
  });
}

const encodeText = (part: Extract<Part, { type: 'text' }>, { path, lose }: ContentContext): JsonObject => {
  const { text, citations = [], proof } = part;
  if (proof !== undefined) lose(`${path}.signature`, 'dropped', 'interactions has no signature on texts');
  const annotations = writeAnnotations(citations, text, () =>
    lose(`${path}.citations`, 'dropped', 'interactions has no citation without a URL'),
  );
  return { type: 'text', text, ...(annotations.length === 0 ? {} : { annotations }) };
};

/** One text or medium; undefined for what is no content of this wire. */
export function encodeContent(part: Part, context: ContentContext): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return part.text === '' && context.wire !== WIRE ? undefined : encodeText(part, context);
    case 'refusal':
      return part.text === '' ? undefined : { type: 'text', text: part.text };
    case 'media':
      return encodeMedia(part, context);
    case 'opaque':
      if (part.wire === WIRE && isObject(part.value)) return part.value;
      context.lose(context.path, 'dropped', `interactions has no such content of ${part.wire}`);
      return undefined;
    default:
      return undefined;
  }
}

/** The content of a result. */
export const encodeContents = (parts: readonly Part[], context: ContentContext): readonly JsonObject[] =>
  parts.flatMap((part, index): readonly JsonObject[] => {
    const path = `${context.path}.${partPath(index)}`;
    if (part.cache !== undefined) context.lose(`${path}.cache`, 'dropped', 'interactions has no cache marks');
    const encoded = encodeContent(part, { ...context, path });
    return encoded === undefined ? [] : [encoded];
  });
