import type { Media } from '../../../core/api/index.ts';
import { lookUp, parseDataUri } from '../../../core/api/codec.ts';

/** The address of an image, or its bytes as a data URI. `undefined` for a file id of a vendor. */
export function writeMediaUrl(media: Media): string | undefined {
  if ('url' in media) return media.url;
  return 'base64' in media ? `data:${media.mediaType};base64,${media.base64}` : undefined;
}

/** The image of an http(s) address or a data URI; `undefined` for any other text. */
export function readImageUrl(url: string): Media | undefined {
  if (/^https?:\/\//i.test(url)) return { mediaType: 'image/*', url };
  return parseDataUri(url);
}

/** Subtypes that this wire names otherwise. */
const audioFormats: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav' };
export function writeAudioFormat(mediaType: string): string {
  const subtype = mediaType.slice(mediaType.indexOf('/') + 1);
  return lookUp(audioFormats, subtype) ?? subtype;
}
