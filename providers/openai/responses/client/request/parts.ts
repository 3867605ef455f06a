import {
  invalidRequest,
  type Media,
  type Members,
  omitUndefined,
  parseDataUri,
  type Part,
} from '../../../../../core/index.ts';
import { createPartReader, decodeAudio, type MeasureImage } from '../../../chat-completions/client/request/parts.ts';
import { readImageUrl } from '../../../chat-completions/media.ts';
import { readAnnotations } from '../../annotations.ts';
import { WIRE } from '../../shape.ts';

/** What leaving it out says; the wire's own types ask for the member, so it is always there. */
const USUAL_DETAIL = 'auto';
const readDetail = (part: Members): string | undefined => {
  const detail = part.string('detail');
  return detail === USUAL_DETAIL ? undefined : detail;
};

const decodeImage = (part: Members, measureImage: MeasureImage): Part => {
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
};

const PDF = 'application/pdf';
const PDF_START = 'JVBERi';
const UNKNOWN_TYPE = 'application/octet-stream';

/** OpenAI wants a data URI; bare base64 is what other clients send. */
const readFileData = (data: string): Media =>
  parseDataUri(data) ?? { mediaType: data.startsWith(PDF_START) ? PDF : UNKNOWN_TYPE, base64: data };

/** The wire names no media type for an address; documents by address are PDFs: https://platform.openai.com/docs/guides/pdf-files */
const readFile = (part: Members): Media => {
  const data = part.string('file_data');
  if (data !== undefined) return readFileData(data);
  const url = part.string('file_url');
  if (url === undefined) return { mediaType: UNKNOWN_TYPE, fileId: part.requiredString('file_id') };
  return parseDataUri(url) ?? { mediaType: PDF, url };
};

const decodeFile = (part: Members, measureImage: MeasureImage): Part => {
  const media = readFile(part);
  if ('base64' in media && media.mediaType.startsWith('image/')) measureImage(media.base64, part.at('file_data'));
  return omitUndefined({ type: 'media', media, name: part.string('filename'), detail: readDetail(part) });
};

const decodeText = (part: Members): Part => {
  const citations = readAnnotations(part.array('annotations'));
  return { type: 'text', text: part.requiredString('text'), ...(citations.length === 0 ? {} : { citations }) };
};

const decodePart = createPartReader(WIRE, {
  input_text: decodeText,
  output_text: decodeText,
  text: decodeText,
  refusal: (part) => ({ type: 'refusal', text: part.requiredString('refusal') }),
  input_image: decodeImage,
  input_file: decodeFile,
  input_audio: decodeAudio,
});

/** A text or a list of parts: the content of a message, the output of a call. Parts of an unknown type are kept as they are. */
export function decodeContent(item: Members, name: string, measureImage: MeasureImage): readonly Part[] {
  const content = item.value(name);
  if (content === undefined)
    throw invalidRequest(item.at(name), `'${item.at(name)}' is required: a string or an array of content parts.`);
  if (content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content))
    throw invalidRequest(item.at(name), `'${item.at(name)}' must be a string or an array of content parts.`);
  return content.map((part, index) => decodePart(part, `${item.at(name)}[${index}]`, measureImage));
}
