import type { Media, Part } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined, parseDataUri } from '../../../../../core/api/codec.ts';
import { invalidMember, requiredObject } from '../../../request-members.ts';
import { readImageUrl } from '../../media.ts';

/** Checks the size of the images of one request (`createImageGauge`). */
export type MeasureImage = (base64: string, path: string) => void;

/** @throws GatewayError 400 for an image that is neither an address nor a data URI */
export function readImage(members: Members, name: string, measureImage: MeasureImage): Media {
  const media = readImageUrl(members.requiredString(name));
  if (media === undefined)
    throw invalidMember(
      members.at(name),
      "must be an http or https URL, or a data URI 'data:<media type>;base64,<data>'.",
    );
  if ('base64' in media) measureImage(media.base64, members.at(name));
  return media;
}

export function decodeImage(part: Members, measureImage: MeasureImage): Part {
  if (typeof part.value('image_url') === 'string')
    return { type: 'media', media: readImage(part, 'image_url', measureImage) };
  const image = requiredObject(part, 'image_url');
  return omitUndefined({ type: 'media', media: readImage(image, 'url', measureImage), detail: image.string('detail') });
}

/** `input_audio`, which is the same on both wires of OpenAI. */
export function decodeAudio(part: Members): Part {
  const audio = requiredObject(part, 'input_audio');
  return {
    type: 'media',
    media: { mediaType: `audio/${audio.string('format') ?? 'wav'}`, base64: audio.requiredString('data') },
  };
}

export const UNKNOWN_TYPE = 'application/octet-stream';
export const PDF = 'application/pdf';
/** The first bytes of a PDF, in base64. */
const PDF_START = 'JVBERi';

/** OpenAI takes a data URI; other servers and some clients have bare base64. */
export const readFileBytes = (data: string): Media =>
  parseDataUri(data) ?? { mediaType: data.startsWith(PDF_START) ? PDF : UNKNOWN_TYPE, base64: data };

/** Other servers of this wire also take an address. */
const readFileData = (data: string): Media =>
  /^https?:\/\//i.test(data) ? { mediaType: UNKNOWN_TYPE, url: data } : readFileBytes(data);

export function decodeFile(part: Members, measureImage: MeasureImage): Part {
  const file = requiredObject(part, 'file');
  const data = file.string('file_data');
  const media: Media =
    data === undefined ? { mediaType: UNKNOWN_TYPE, fileId: file.requiredString('file_id') } : readFileData(data);
  if ('base64' in media && media.mediaType.startsWith('image/')) measureImage(media.base64, file.at('file_data'));
  return omitUndefined({ type: 'media', media, name: file.string('filename') });
}
