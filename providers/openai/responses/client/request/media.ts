import { invalidRequest, type Media, type Part } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined, parseDataUri } from '../../../../../core/api/codec.ts';
import type { MeasureImage } from '../../../chat-completions/client/request/media.ts';
import { readImageUrl } from '../../../chat-completions/media.ts';

/** The default. SDK types require the member, so requests always have it. */
const DEFAULT_DETAIL = 'auto';
const readDetail = (part: Members): string | undefined => {
  const detail = part.string('detail');
  return detail === DEFAULT_DETAIL ? undefined : detail;
};

export function decodeImage(part: Members, measureImage: MeasureImage): Part {
  const detail = readDetail(part);
  const url = part.string('image_url');
  if (url === undefined)
    return omitUndefined({
      type: 'media',
      media: { mediaType: 'image/*', fileId: part.requiredString('file_id') },
      detail,
    });
  const media = readImageUrl(url);
  if (media === undefined)
    throw invalidRequest(
      part.at('image_url'),
      `'${part.at('image_url')}' must be an http or https URL, or a data URI 'data:<media type>;base64,<data>'.`,
    );
  if ('base64' in media) measureImage(media.base64, part.at('image_url'));
  return omitUndefined({ type: 'media', media, detail });
}

const PDF = 'application/pdf';
/** The first bytes of a PDF, in base64. */
const PDF_START = 'JVBERi';
const UNKNOWN_TYPE = 'application/octet-stream';

/** OpenAI takes a data URI; some clients send bare base64. */
const readFileData = (data: string): Media =>
  parseDataUri(data) ?? { mediaType: data.startsWith(PDF_START) ? PDF : UNKNOWN_TYPE, base64: data };

/**
 * The wire has no media type for an address; documents by address are PDFs:
 * https://platform.openai.com/docs/guides/pdf-files
 */
const readFile = (part: Members): Media => {
  const data = part.string('file_data');
  if (data !== undefined) return readFileData(data);
  const url = part.string('file_url');
  if (url === undefined) return { mediaType: UNKNOWN_TYPE, fileId: part.requiredString('file_id') };
  return parseDataUri(url) ?? { mediaType: PDF, url };
};

export function decodeFile(part: Members, measureImage: MeasureImage): Part {
  const media = readFile(part);
  if ('base64' in media && media.mediaType.startsWith('image/')) measureImage(media.base64, part.at('file_data'));
  return omitUndefined({ type: 'media', media, name: part.string('filename'), detail: readDetail(part) });
}
