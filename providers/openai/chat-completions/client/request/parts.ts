import { type CacheMark, invalidRequest, type Part, type WireName } from '../../../../../core/api/index.ts';
import {
  lookUp,
  type Members,
  omitUndefined,
  readMembers,
  readText,
  unsealProof,
} from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';
import { decodeAudio, decodeFile, decodeImage, type MeasureImage } from './media.ts';

/** `prompt_cache_breakpoint` of OpenAI, or `cache_control` in OpenRouter's dialect. */
export function decodeCacheMark(members: Members): CacheMark | undefined {
  const breakpoint = members.object('prompt_cache_breakpoint');
  if (breakpoint !== undefined) return { ttl: breakpoint.string('ttl') === '12h' ? '12h' : '30m' };
  const control = members.object('cache_control');
  return control === undefined ? undefined : { ttl: control.string('ttl') === '1h' ? '1h' : '5m' };
}

/** Reasoning inside the content, as Mistral sends it. */
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

/** Decodes a content part by its type. A part whose type has no decoder is kept as it is. */
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

/** `content`: a text or a list of parts. */
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
