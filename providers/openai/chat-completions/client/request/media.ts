import { invalidRequest, type Media, type Part } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined, parseDataUri, readMembers } from '../../../../../core/api/codec.ts';
import { readImageUrl } from '../../media.ts';

/** Checks the size of the images of one request (`createImageGauge`). */
export type MeasureImage = (base64: string, path: string) => void;

const requiredObject = (members: Members, name: string): Members =>
  members.object(name) ?? readMembers(undefined, members.at(name));

export function decodeImage(part: Members, measureImage: MeasureImage): Part {
  const plain = part.value('image_url');
  const image = typeof plain === 'string' ? part : requiredObject(part, 'image_url');
  const name = typeof plain === 'string' ? 'image_url' : 'url';
  const media = readImageUrl(image.requiredString(name));
  if (media === undefined)
    throw invalidRequest(
      image.at(name),
      `'${image.at(name)}' must be an http or https URL, or a data URI 'data:<media type>;base64,<data>'.`,
    );
  if ('base64' in media) measureImage(media.base64, image.at(name));
  return omitUndefined({
    type: 'media',
    media,
    detail: typeof plain === 'string' ? undefined : image.string('detail'),
  });
}

/** `input_audio`, which is the same on both wires of OpenAI. */
export function decodeAudio(part: Members): Part {
  const audio = requiredObject(part, 'input_audio');
  return {
    type: 'media',
    media: { mediaType: `audio/${audio.string('format') ?? 'wav'}`, base64: audio.requiredString('data') },
  };
}

const UNKNOWN_TYPE = 'application/octet-stream';
/** The first bytes of a PDF, in base64. */
const PDF_START = 'JVBERi';

/** OpenAI takes a data URI; other servers of this wire also take an address or bare base64. */
const readFileData = (data: string): Media => {
  if (/^https?:\/\//i.test(data)) return { mediaType: UNKNOWN_TYPE, url: data };
  return (
    parseDataUri(data) ?? { mediaType: data.startsWith(PDF_START) ? 'application/pdf' : UNKNOWN_TYPE, base64: data }
  );
};

export function decodeFile(part: Members, measureImage: MeasureImage): Part {
  const file = requiredObject(part, 'file');
  const data = file.string('file_data');
  const media: Media =
    data === undefined ? { mediaType: UNKNOWN_TYPE, fileId: file.requiredString('file_id') } : readFileData(data);
  if ('base64' in media && media.mediaType.startsWith('image/')) measureImage(media.base64, file.at('file_data'));
  return omitUndefined({ type: 'media', media, name: file.string('filename') });
}
