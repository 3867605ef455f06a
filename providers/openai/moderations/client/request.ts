import type { ModerateRequest } from '../../../../core/api/index.ts';
import {
  createImageLimit,
  type DecodedRequest,
  type InboundRequest,
  type Members,
  readMembers,
} from '../../../../core/api/codec.ts';
import { invalidMember } from '../../request-members.ts';
import { decodeImage, type MeasureImage } from '../../chat-completions/client/request/media.ts';
import { WIRE } from '../shape.ts';

type Content = ModerateRequest['contents'][number];
type ContentPart = Content[number];

/** The vendor's default: https://platform.openai.com/docs/api-reference/moderations/create#moderations-create-model */
const DEFAULT_MODEL = 'omni-moderation-latest';

const decodePart = (value: unknown, at: string, measureImage: MeasureImage): ContentPart => {
  const part = readMembers(value, at);
  const type = part.requiredString('type');
  if (type === 'text') return { type: 'text', text: part.requiredString('text') };
  const image = type === 'image_url' ? decodeImage(part, measureImage) : undefined;
  if (image?.type === 'media') return image;
  throw invalidMember(part.at('type'), "must be 'text' or 'image_url'.");
};

/** A list holds texts, which are classified one by one, or the parts of one content. */
const decodeList = (list: readonly unknown[]): readonly Content[] => {
  if (list.every((item) => typeof item === 'string')) return list.map((text) => [{ type: 'text', text }]);
  const measureImage = createImageLimit();
  return [
    list.map((item, index) => {
      const at = `input[${index}]`;
      if (typeof item === 'string')
        throw invalidMember(at, 'is a text among parts; write {"type":"text","text":…}, or send texts only.');
      return decodePart(item, at, measureImage);
    }),
  ];
};

/** @throws GatewayError 400 that names the element */
const decodeInput = (body: Members): readonly Content[] => {
  const value = body.value('input');
  if (typeof value === 'string') return [[{ type: 'text', text: value }]];
  if (value === undefined) throw invalidMember('input', 'is required.');
  if (!Array.isArray(value)) throw invalidMember('input', 'must be a text, a list of texts, or a list of parts.');
  if (value.length === 0) throw invalidMember('input', 'is empty; there is nothing to classify.');
  return decodeList(value);
};

/**
 * https://platform.openai.com/docs/api-reference/moderations/create. Members without a canonical member stay in `extra`.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest({ body: value }: InboundRequest): DecodedRequest<'moderate'> {
  const body = readMembers(value);
  const model = body.string('model') ?? DEFAULT_MODEL;
  const contents = decodeInput(body);
  return { model, request: { contents, extra: { wire: WIRE, members: body.unread() } } };
}
