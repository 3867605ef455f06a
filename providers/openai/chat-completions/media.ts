import { lookUp, parseDataUri, type Media } from '../../../core/index.ts';

/** Where an image stands: its address, or its bytes as a data URI. `undefined` for a vendor's file id. */
export function writeMediaUrl(media: Media): string | undefined {
  if ('url' in media) return media.url;
  return 'base64' in media ? `data:${media.mediaType};base64,${media.base64}` : undefined;
}

/** The image behind an `image_url`, given as an object or, by some clients, as the address itself. */
export function readImageUrl(url: string): Media | undefined {
  if (/^https?:\/\//i.test(url)) return { mediaType: 'image/*', url };
  return parseDataUri(url);
}

/** `wav` and `mp3` are this wire's words for audio. */
const audioFormats: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav' };
export function writeAudioFormat(mediaType: string): string {
  const subtype = mediaType.slice(mediaType.indexOf('/') + 1);
  return lookUp(audioFormats, subtype) ?? subtype;
}
