import type { Media, Part } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined, parseDataUri } from '../../../../../core/api/codec.ts';
import {
  type MeasureImage,
  PDF,
  readFileBytes,
  readImage,
  UNKNOWN_TYPE,
} from '../../../chat-completions/client/request/media.ts';

/** The default. SDK types require the member, so requests always have it. */
const DEFAULT_DETAIL = 'auto';
const readDetail = (part: Members): string | undefined => {
  const detail = part.string('detail');
  return detail === DEFAULT_DETAIL ? undefined : detail;
};

export function decodeImage(part: Members, measureImage: MeasureImage): Part {
  const detail = readDetail(part);
  if (!part.has('image_url'))
    return omitUndefined({
      type: 'media',
      media: { mediaType: 'image/*', fileId: part.requiredString('file_id') },
      detail,
    });
  return omitUndefined({ type: 'media', media: readImage(part, 'image_url', measureImage), detail });
}

/**
 * The wire has no media type for an address; documents by address are PDFs:
 * https://platform.openai.com/docs/guides/pdf-files
 */
const readFile = (part: Members): Media => {
  const data = part.string('file_data');
  if (data !== undefined) return readFileBytes(data);
  const url = part.string('file_url');
  if (url === undefined) return { mediaType: UNKNOWN_TYPE, fileId: part.requiredString('file_id') };
  return parseDataUri(url) ?? { mediaType: PDF, url };
};

export function decodeFile(part: Members, measureImage: MeasureImage): Part {
  const media = readFile(part);
  if ('base64' in media && media.mediaType.startsWith('image/')) measureImage(media.base64, part.at('file_data'));
  return omitUndefined({ type: 'media', media, name: part.string('filename'), detail: readDetail(part) });
}
