import {
  type CacheMark,
  invalidRequest,
  lookUp,
  type Media,
  type Members,
  omitUndefined,
  parseDataUri,
  type Part,
  readMembers,
  readText,
  unsealProof,
  type WireName,
} from '../../../../../core/index.ts';
import { readImageUrl } from '../../media.ts';
import { WIRE } from '../../shape.ts';

/** Measures the images of one request: `createImageGauge`. */
export type MeasureImage = (base64: string, path: string) => void;

/** `prompt_cache_breakpoint` of OpenAI, or `cache_control` in the dialect of OpenRouter. */
export function decodeCacheMark(members: Members): CacheMark | undefined {
  const breakpoint = members.object('prompt_cache_breakpoint');
  if (breakpoint !== undefined) return { ttl: breakpoint.string('ttl') === '12h' ? '12h' : '30m' };
  const control = members.object('cache_control');
  return control === undefined ? undefined : { ttl: control.string('ttl') === '1h' ? '1h' : '5m' };
}

const needed = (members: Members, name: string): Members =>
  members.object(name) ?? readMembers(undefined, members.at(name));

const decodeImage = (part: Members, measureImage: MeasureImage): Part => {
  const plain = part.value('image_url');
  const image = typeof plain === 'string' ? part : needed(part, 'image_url');
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
};

/** OpenAI writes sounds alike on both of its wires. */
export function decodeAudio(part: Members): Part {
  const audio = needed(part, 'input_audio');
  return {
    type: 'media',
    media: { mediaType: `audio/${audio.string('format') ?? 'wav'}`, base64: audio.requiredString('data') },
  };
}

const UNKNOWN_TYPE = 'application/octet-stream';
const PDF_START = 'JVBERi';

/** OpenAI wants a data URI; other servers of this wire also take an address or bare base64. */
const readFileData = (data: string): Media => {
  if (/^https?:\/\//i.test(data)) return { mediaType: UNKNOWN_TYPE, url: data };
  return (
    parseDataUri(data) ?? { mediaType: data.startsWith(PDF_START) ? 'application/pdf' : UNKNOWN_TYPE, base64: data }
  );
};

const decodeFile = (part: Members, measureImage: MeasureImage): Part => {
  const file = needed(part, 'file');
  const data = file.string('file_data');
  const media: Media =
    data === undefined ? { mediaType: UNKNOWN_TYPE, fileId: file.requiredString('file_id') } : readFileData(data);
  if ('base64' in media && media.mediaType.startsWith('image/')) measureImage(media.base64, file.at('file_data'));
  return omitUndefined({ type: 'media', media, name: file.string('filename') });
};

/** Mistral's shape of reasoning inside the content. */
const decodeThinking = (part: Members): Part => {
  const signature = part.string('signature');
  const text = (part.array('thinking') ?? [])
    .map((piece, index) => readText(readMembers(piece, `${part.at('thinking')}[${index}]`).value('text')))
    .join('');
  return omitUndefined({
    type: 'reasoning',
    text,
    proof: signature === undefined ? undefined : unsealProof(signature),
  });
};

export type PartDecoders = Readonly<Record<string, (part: Members, measureImage: MeasureImage) => Part>>;

/** Reads a content part by its type. One that `wire` has no decoder for is kept as it is. */
export const createPartReader =
  (wire: WireName, decoders: PartDecoders) =>
  (value: unknown, path: string, measureImage: MeasureImage): Part => {
    const part = readMembers(value, path);
    const decode = lookUp(decoders, part.requiredString('type'));
    if (decode === undefined) return { type: 'opaque', wire, value };
    const cache = decodeCacheMark(part);
    return { ...decode(part, measureImage), ...(cache === undefined ? {} : { cache }) };
  };

const decodePart = createPartReader(WIRE, {
  text: (part) => ({ type: 'text', text: part.requiredString('text') }),
  refusal: (part) => ({ type: 'refusal', text: part.requiredString('refusal') }),
  image_url: decodeImage,
  input_audio: decodeAudio,
  file: decodeFile,
  thinking: decodeThinking,
});

/** `content`: a text or a list of parts. Parts of an unknown type are kept as they are. */
export function decodeContent(message: Members, measureImage: MeasureImage): readonly Part[] {
  const content = message.value('content');
  if (content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content))
    throw invalidRequest(
      message.at('content'),
      `'${message.at('content')}' must be a string or an array of content parts.`,
    );
  return content.map((part, index) => decodePart(part, `${message.at('content')}[${index}]`, measureImage));
}
