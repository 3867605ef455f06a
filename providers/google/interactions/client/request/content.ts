import { invalidRequest, type JsonObject, type Media, type Part } from '../../../../../core/api/index.ts';
import { isObject, type Members, omitUndefined, readMembers } from '../../../../../core/api/codec.ts';
import { readBytes, readUri } from '../../../generate-content/client/request/media.ts';
import { readAnnotations } from '../../annotations.ts';
import { usualMediaType, WIRE } from '../../shape.ts';

/** Counts an image against the image limits of the request. */
export type MeasureImage = (base64: string, path: string) => void;

export interface DecodedPart {
  readonly part: Part;
  /** Members that the canonical part cannot hold. */
  readonly extra: JsonObject;
}

const decodeMedia = (content: Members, type: string, usual: string, measure: MeasureImage): Media => {
  const data = content.string('data');
  const mediaType = content.string('mime_type');
  if (data !== undefined) {
    const media = readBytes(mediaType ?? usual, data);
    if (type === 'image') measure(media.base64, content.at('data'));
    return media;
  }
  const uri = content.string('uri');
  if (uri === undefined)
    throw invalidRequest(content.path, `'${content.path}' needs 'data', the bytes in base64, or a 'uri'.`);
  const media = readUri(uri, mediaType, usual);
  if ('base64' in media && type === 'image') measure(media.base64, content.at('uri'));
  return media;
};

/** Resolutions that other wires have, by their names there. */
const details: ReadonlySet<string> = new Set(['low', 'high']);

const decodeMediaPart = (content: Members, type: string, usual: string, measure: MeasureImage): DecodedPart => {
  const media = decodeMedia(content, type, usual, measure);
  const resolution = content.string('resolution');
  const detail = resolution !== undefined && details.has(resolution) ? resolution : undefined;
  const extra = omitUndefined({ ...content.unread(), resolution: detail === undefined ? resolution : undefined });
  return { part: omitUndefined({ type: 'media', media, name: content.string('name'), detail }), extra };
};

/** One text or medium. Unknown types stay opaque. @throws GatewayError 400 that names the member */
export function decodeContent(value: unknown, path: string, measure: MeasureImage): DecodedPart {
  const content = readMembers(value, path);
  const type = content.requiredString('type');
  const usual = usualMediaType(type);
  if (usual !== undefined) return decodeMediaPart(content, type, usual, measure);
  if (type !== 'text') return { part: { type: 'opaque', wire: WIRE, value: isObject(value) ? value : {} }, extra: {} };
  const text = content.requiredString('text');
  const citations = readAnnotations(content.value('annotations'), text);
  return { part: { type: 'text', text, ...(citations.length === 0 ? {} : { citations }) }, extra: content.unread() };
}

/** The content of a step: a list, or a single text. */
export function decodeContents(step: Members, name: string, measure: MeasureImage): readonly DecodedPart[] {
  const found = step.value(name);
  if (typeof found === 'string') return [{ part: { type: 'text', text: found }, extra: {} }];
  if (isObject(found)) return [decodeContent(found, step.at(name), measure)];
  return (step.array(name) ?? []).map((value, index) => decodeContent(value, `${step.at(name)}[${index}]`, measure));
}
