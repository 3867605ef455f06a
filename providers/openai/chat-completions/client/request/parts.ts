import type { CacheMark, Part, WireName } from '../../../../../core/api/index.ts';
import {
  lookUp,
  type Members,
  omitUndefined,
  readMembers,
  readText,
  unsealProof,
} from '../../../../../core/api/codec.ts';
import { invalidMember } from '../../../request-members.ts';
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

type PartDecoders = Readonly<Record<string, (part: Members, measureImage: MeasureImage) => Part>>;

/**
 * A reader of content: a text or a list of parts, none if it is absent or empty. A part whose type has no decoder is
 * kept as it is.
 */
export const createContentReader = (wire: WireName, decoders: PartDecoders) => {
  const decodePart = (value: unknown, path: string, measureImage: MeasureImage): Part => {
    const part = readMembers(value, path);
    const decode = lookUp(decoders, part.requiredString('type'));
    if (decode === undefined) return { type: 'opaque', wire, value };
    const cache = decodeCacheMark(part);
    return { ...decode(part, measureImage), ...(cache === undefined ? {} : { cache }) };
  };
  return (members: Members, name: string, measureImage: MeasureImage): readonly Part[] => {
    const content = members.value(name);
    if (content === undefined || content === '') return [];
    if (typeof content === 'string') return [{ type: 'text', text: content }];
    if (!Array.isArray(content))
      throw invalidMember(members.at(name), 'must be a string or an array of content parts.');
    return content.map((part, index) => decodePart(part, `${members.at(name)}[${index}]`, measureImage));
  };
};

/** @throws GatewayError 400 without the content */
export function requireContent(members: Members, name: string): void {
  if (!members.has(name)) throw invalidMember(members.at(name), 'is required: a string or an array of content parts.');
}

export const decodeContent = createContentReader(WIRE, {
  text: (part) => ({ type: 'text', text: part.requiredString('text') }),
  refusal: (part) => ({ type: 'refusal', text: part.requiredString('refusal') }),
  image_url: decodeImage,
  input_audio: decodeAudio,
  file: decodeFile,
  thinking: decodeThinking,
});
