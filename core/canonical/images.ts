import { invalidRequest } from '../errors/gateway-error.ts';
import type { Media } from './part.ts';

const MEGABYTE = 1_048_576;
/** Limits of images in bytes after base64 decoding: of each, and of all in one request. */
export const imageLimits = { each: 5 * MEGABYTE, total: 12 * MEGABYTE } as const;

/** The number of bytes that a base64 text encodes, without decoding it. */
export function base64Bytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(((base64.length - padding) * 3) / 4);
}

const signatures: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi', 'application/pdf'],
];
/** The media type by the first bytes, for data URIs without one. */
const sniff = (base64: string): string | undefined => signatures.find(([start]) => base64.startsWith(start))?.[1];

const DATA_URI = /^data:(?<type>[^;,]*)(?:;[^;,]*?)*?;base64,/i;

/**
 * Parses a base64 data URI (RFC 2397) as clients write them: in upper or lower case, with parameters, with line breaks
 * or URL-safe characters in the data. Returns undefined for anything else.
 */
export function parseDataUri(uri: string): Extract<Media, { base64: string }> | undefined {
  const match = DATA_URI.exec(uri.slice(0, 256));
  if (match === null) return undefined;
  const data = uri.slice(match[0].length);
  const base64 = /[\s\-_%]/.test(data)
    ? data
        .replaceAll(/\s|%0[ad]/gi, '')
        .replaceAll('-', '+')
        .replaceAll('_', '/')
    : data;
  const named = (match.groups?.['type'] ?? '').trim().toLowerCase();
  const mediaType =
    named === 'image/jpg' ? 'image/jpeg' : named === '' ? (sniff(base64) ?? 'application/octet-stream') : named;
  return { mediaType, base64 };
}

/**
 * Creates a check of image sizes for one request. It throws a 400 for an image or a total above `imageLimits`.
 * @example
 * const measure = createImageLimit();
 * measure(base64, 'messages[0].content[1]');
 */
export function createImageLimit(): (base64: string, path: string) => void {
  let total = 0;
  return (base64, path) => {
    const bytes = base64Bytes(base64);
    if (bytes > imageLimits.each)
      throw invalidRequest(path, `The image at '${path}' has ${bytes} bytes; an image can have at most 5 MB.`);
    total += bytes;
    if (total > imageLimits.total)
      throw invalidRequest(
        path,
        `The images up to '${path}' have ${total} bytes together; a request can have at most 12 MB of images.`,
      );
  };
}
