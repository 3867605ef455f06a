import { defineReferences } from '../../../../../core/api/codec.ts';

/** A file at the vendor or in Cloud Storage. The URL of a public page or a video is not a reference. */
export const isStoredFile = (uri: unknown): boolean => {
  if (typeof uri !== 'string' || uri === '') return false;
  if (!URL.canParse(uri) || !/^https?:/i.test(uri)) return true;
  const { hostname, pathname } = new URL(uri);
  return hostname.endsWith('.googleapis.com') || /\/files\/[^/]+$/.test(pathname);
};

const members = {
  'cachedContent': true,
  'continuationToken': true,
  'contents.parts.fileData.fileUri': isStoredFile,
  'contents.parts.functionResponse.parts.fileData.fileUri': isStoredFile,
  'systemInstruction.parts.fileData.fileUri': isStoredFile,
  'tools.fileSearch': true,
  'tools.retrieval': true,
} as const;

/** What a request can refer to at the vendor: caches, files and stores. A count request can nest the request. */
export const references = defineReferences({
  ...members,
  ...Object.fromEntries(Object.entries(members).map(([path, test]) => [`generateContentRequest.${path}`, test])),
  'content.parts.fileData.fileUri': isStoredFile,
  'requests.content.parts.fileData.fileUri': isStoredFile,
});
