import type { JsonObject, MediaPart } from '../../../../../core/api/index.ts';
import type { Lose } from '../../../../../core/api/codec.ts';
import { writeCacheMark } from '../../cache-mark.ts';
import type { Block } from '../../shape.ts';

type Media = MediaPart['media'];

const reference = (media: Media): JsonObject | undefined => {
  if ('url' in media) return { type: 'url', url: media.url };
  return 'fileId' in media ? { type: 'file', file_id: media.fileId } : undefined;
};

const imageSource = (media: Media): JsonObject =>
  'base64' in media
    ? {
        type: 'base64',
        media_type: media.mediaType === 'image/jpg' ? 'image/jpeg' : media.mediaType,
        data: media.base64,
      }
    : (reference(media) ?? {});

/** Text is sent as text, everything else as a PDF or by reference. */
const documentSource = (media: Media): JsonObject | undefined => {
  if (!('base64' in media)) return reference(media);
  if (media.mediaType === 'application/pdf') return { type: 'base64', media_type: media.mediaType, data: media.base64 };
  if (media.mediaType.startsWith('text/'))
    return { type: 'text', media_type: 'text/plain', data: Buffer.from(media.base64, 'base64').toString('utf8') };
  return undefined;
};

/** Encodes images and documents; `undefined` for what the wire does not support. */
export function encodeMedia(
  { media, name, detail, cache }: MediaPart & { readonly cache?: Parameters<typeof writeCacheMark>[0] },
  path: string,
  lose: Lose,
): Block | undefined {
  if (detail !== undefined && detail !== 'auto') lose(`${path}.detail`, 'dropped', 'messages has no resolution hint');
  if (media.mediaType.startsWith('image/'))
    return { type: 'image', source: imageSource(media), ...writeCacheMark(cache) };
  const source =
    media.mediaType.startsWith('audio/') || media.mediaType.startsWith('video/') ? undefined : documentSource(media);
  if (source === undefined) {
    lose(path, 'dropped', `messages does not support ${media.mediaType}`);
    return undefined;
  }
  return { type: 'document', source, ...(name === undefined ? {} : { title: name }), ...writeCacheMark(cache) };
}
