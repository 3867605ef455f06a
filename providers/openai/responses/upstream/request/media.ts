import type { JsonObject, MediaPart } from '../../../../../core/api/index.ts';
import { omitUndefined } from '../../../../../core/api/codec.ts';
import { writeAudioFormat, writeMediaUrl } from '../../../chat-completions/media.ts';

const encodeFile = ({ media, name, detail }: MediaPart): JsonObject => {
  if ('fileId' in media) return omitUndefined({ type: 'input_file', file_id: media.fileId, detail });
  if ('url' in media) return omitUndefined({ type: 'input_file', file_url: media.url, filename: name, detail });
  return omitUndefined({ type: 'input_file', filename: name, file_data: writeMediaUrl(media), detail });
};

/** Image, audio or file. An image requires a `detail`. */
export function encodeMedia(part: MediaPart): JsonObject {
  const { media, detail = 'auto' } = part;
  if (media.mediaType.startsWith('image/')) {
    return {
      type: 'input_image',
      detail,
      ...('fileId' in media ? { file_id: media.fileId } : { image_url: writeMediaUrl(media) }),
    };
  }
  if ('base64' in media && media.mediaType.startsWith('audio/')) {
    return { type: 'input_audio', input_audio: { data: media.base64, format: writeAudioFormat(media.mediaType) } };
  }
  return encodeFile(part);
}
