import { lookUp, parseDataUri, type Media, type Members } from '../../../../../core/index.ts';

/** The wire lets a client leave out what an address leads to; other vendors are asked for an image in other words than for a document. */
const UNKNOWN_TYPE = '*/*';
const typeOfEnding: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  pdf: 'application/pdf',
};
const guessType = (uri: string): string => {
  const [path = ''] = uri.split(/[?#]/, 1);
  return lookUp(typeOfEnding, path.slice(path.lastIndexOf('.') + 1).toLowerCase()) ?? UNKNOWN_TYPE;
};

/** Base64 as RFC 4648 writes it: the vendor's mapper takes URL-safe letters, other vendors do not. */
const normaliseBase64 = (data: string): string =>
  /[\s\-_]/.test(data) ? data.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/') : data;
const normaliseMediaType = (mediaType: string): string =>
  mediaType.toLowerCase() === 'image/jpg' ? 'image/jpeg' : mediaType.toLowerCase();

/** What was uploaded has an address too, which only its account can open: https://ai.google.dev/gemini-api/docs/files */
const isUploaded = (uri: string): boolean =>
  !/^https?:\/\//i.test(uri) || /^https:\/\/generativelanguage\.googleapis\.com\/[^/]+\/files\//i.test(uri);

export const decodeInlineData = (data: Members): Extract<Media, { base64: string }> => ({
  mediaType: normaliseMediaType(data.requiredString('mimeType')),
  base64: normaliseBase64(data.requiredString('data')),
});

/** An address of the web, a data URI, a file of the Files API or of Cloud Storage. */
export function decodeFileData(data: Members): Media {
  const uri = data.requiredString('fileUri');
  const mediaType = normaliseMediaType(data.string('mimeType') ?? guessType(uri));
  return parseDataUri(uri) ?? (isUploaded(uri) ? { mediaType, fileId: uri } : { mediaType, url: uri });
}
