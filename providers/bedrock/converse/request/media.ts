import type { JsonObject, MediaPart } from '../../../../core/api/index.ts';
import { lookUp, type Lose } from '../../../../core/api/codec.ts';
import type { Block } from '../shape.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html */
const documentFormats: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_VideoBlock.html */
const videoFormats: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
  'video/webm': 'webm',
  'video/x-flv': 'flv',
  'video/mpeg': 'mpeg',
  'video/x-ms-wmv': 'wmv',
  'video/3gpp': 'three_gp',
};

const imageFormats: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Names the documents of one request: the vendor requires a name, few characters in it, and no name twice. */
export type NameDocument = (name: string | undefined) => string;

const MAX_NAME = 200;

export const createDocumentNames = (): NameDocument => {
  const used = new Set<string>();
  return (given = '') => {
    const legal = given
      .replaceAll(/[^a-zA-Z0-9\-()[\]]+/g, ' ')
      .trim()
      .slice(0, MAX_NAME);
    const base = legal === '' ? 'Document' : legal;
    let name = base;
    for (let count = 2; used.has(name); count += 1) name = `${base} ${count}`;
    used.add(name);
    return name;
  };
};

const sourceOf = (media: MediaPart['media']): JsonObject | undefined => {
  if ('base64' in media) return { bytes: media.base64 };
  return 'url' in media && media.url.startsWith('s3://') ? { s3Location: { uri: media.url } } : undefined;
};

const formatOf = (mediaType: string): readonly [kind: string, format: string] | undefined => {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const image = lookUp(imageFormats, type);
  if (image !== undefined) return ['image', image];
  const video = lookUp(videoFormats, type);
  if (video !== undefined) return ['video', video];
  const document = lookUp(documentFormats, type) ?? (type.startsWith('text/') ? 'txt' : undefined);
  return document === undefined ? undefined : ['document', document];
};

/** Encodes images, documents and videos; `undefined` for what the wire does not support. */
export function encodeMedia(
  { media, name, detail }: MediaPart,
  path: string,
  nameDocument: NameDocument,
  lose: Lose,
): Block | undefined {
  const source = sourceOf(media);
  const [kind, format] = formatOf(media.mediaType) ?? [];
  if (source === undefined || kind === undefined) {
    lose(path, 'dropped', `bedrock-converse does not support ${media.mediaType}, or not by reference`);
    return undefined;
  }
  if (detail !== undefined && detail !== 'auto')
    lose(`${path}.detail`, 'dropped', 'bedrock-converse has no resolution hint');
  if (kind !== 'document') return { [kind]: { format, source } };
  const legal = nameDocument(name);
  if (name !== undefined && name !== legal)
    lose(`${path}.name`, 'approximated', 'bedrock-converse accepts few characters in the name of a document');
  return { document: { format, name: legal, source } };
}
