import type { Media } from '../../../../../core/api/index.ts';
import { lookUp, parseDataUri, type Members } from '../../../../../core/api/codec.ts';

/** Clients of this wire can omit the media type of a URL. Other wires need it, to distinguish images from documents. */
const UNKNOWN_TYPE = '*/*';
const typeOfEnding: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  pdf: 'application/pdf',
};
const guessType = (uri: string): string | undefined => {
  const [path = ''] = uri.split(/[?#]/, 1);
  return lookUp(typeOfEnding, path.slice(path.lastIndexOf('.') + 1).toLowerCase());
};

/** Base64 as in RFC 4648. This vendor accepts URL-safe letters, others do not. */
const normaliseBase64 = (data: string): string =>
  /[\s\-_]/.test(data) ? data.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/') : data;
const normaliseMediaType = (mediaType: string): string =>
  mediaType.toLowerCase() === 'image/jpg' ? 'image/jpeg' : mediaType.toLowerCase();

/** Uploaded files have a URL too, which only their account can open: https://ai.google.dev/gemini-api/docs/files */
const isUploaded = (uri: string): boolean =>
  !/^https?:\/\//i.test(uri) || /^https:\/\/generativelanguage\.googleapis\.com\/[^/]+\/files\//i.test(uri);

/** Bytes in base64. */
export const readBytes = (mediaType: string, data: string): Extract<Media, { base64: string }> => ({
  mediaType: normaliseMediaType(mediaType),
  base64: normaliseBase64(data),
});

/**
 * A URL, a data URI, a file of the Files API or of Cloud Storage.
 * @param mediaType absent: the ending of the path says it
 */
export function readUri(uri: string, mediaType: string | undefined, unknown = UNKNOWN_TYPE): Media {
  const type = normaliseMediaType(mediaType ?? guessType(uri) ?? unknown);
  return parseDataUri(uri) ?? (isUploaded(uri) ? { mediaType: type, fileId: uri } : { mediaType: type, url: uri });
}

export const decodeInlineData = (data: Members): Extract<Media, { base64: string }> =>
  readBytes(data.requiredString('mimeType'), data.requiredString('data'));

/** Decodes a URL, a data URI, a file of the Files API or of Cloud Storage. */
export const decodeFileData = (data: Members): Media =>
  readUri(data.requiredString('fileUri'), data.string('mimeType'));
