import { defineReferences } from '../../../../../core/index.ts';

/** A file at the vendor, or in the storage of the account; the address of a public page or a video is none. */
const isStoredFile = (uri: unknown): boolean => {
  if (typeof uri !== 'string' || uri === '') return false;
  if (!URL.canParse(uri) || !/^https?:/i.test(uri)) return true;
  const { hostname, pathname } = new URL(uri);
  return hostname.endsWith('.googleapis.com') || /\/files\/[^/]+$/.test(pathname);
};

/** Within a request. */
const members = {
  'cachedContent': true,
  'continuationToken': true,
  'contents.parts.fileData.fileUri': isStoredFile,
  'contents.parts.functionResponse.parts.fileData.fileUri': isStoredFile,
  'systemInstruction.parts.fileData.fileUri': isStoredFile,
  'tools.fileSearch': true,
  'tools.retrieval': true,
} as const;

/** What requests name that is kept at the vendor: caches, files, stores. Where tokens are counted, the request may be inside another. */
export const references = defineReferences({
  ...members,
  ...Object.fromEntries(Object.entries(members).map(([path, test]) => [`generateContentRequest.${path}`, test])),
  'content.parts.fileData.fileUri': isStoredFile,
  'requests.content.parts.fileData.fileUri': isStoredFile,
});
