import type { ImageRequest } from '../../../../core/api/index.ts';
import {
  createImageLimit,
  type DecodedRequest,
  type InboundRequest,
  type Members,
  omitUndefined,
  readCount,
  readMembers,
  readObject,
  readText,
} from '../../../../core/api/codec.ts';
import { invalidMember } from '../../request-members.ts';
import { decodeImage } from '../../chat-completions/client/request/media.ts';
import { readFlag, readNumber } from '../../transcriptions/form-fields.ts';
import { EDITS_WIRE, PARTIAL_IMAGES, VARIATIONS_WIRE, type ImagesWire } from '../shape.ts';

type InputImage = ImageRequest['images'][number];
type UploadedImage = NonNullable<ImageRequest['uploaded']>[number];

const UNKNOWN_TYPE = 'image/*';

/** @throws GatewayError 400 that names the element */
const decodeImages = (body: Members): readonly InputImage[] => {
  const value = body.value('images');
  if (!Array.isArray(value) || value.length === 0)
    throw invalidMember('images', 'must list the images to edit, each as {"image_url": …} or {"file_id": …}.');
  const measure = createImageLimit();
  return value.map((item: unknown, index): InputImage => {
    const at = `images[${index}]`;
    const image = readMembers(item, at);
    const fileId = image.string('file_id');
    if (fileId !== undefined) return { type: 'media', media: { mediaType: UNKNOWN_TYPE, fileId } };
    const part = decodeImage(image, measure);
    if (part.type === 'media') return part;
    throw invalidMember(at, "must have an 'image_url' or a 'file_id'.");
  });
};

/** Fields of a form that name images. Others with these names would be read differently by a vendor. */
const IMAGE_FIELD = /^(?:images?|mask)\b/;
const fileFields: ReadonlySet<string> = new Set(['image', 'image[]', 'mask']);

/**
 * The images of a form. The mask stays among the members that only this wire has.
 * @throws GatewayError 400 that names the field
 */
const decodeUploaded = (body: Members, names: readonly string[]): readonly UploadedImage[] => {
  const foreign = names.find((name) => IMAGE_FIELD.test(name) && !fileFields.has(name));
  if (foreign !== undefined)
    throw invalidMember(foreign, "is no field of this form: send images as files, in 'image' or 'image[]'.");
  const uploaded = ['image', 'image[]'].flatMap((field) => {
    const value = body.value(field);
    const files = value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
    return files.map((file) => {
      const { type, bytes } = readObject(file);
      return { field, mediaType: readText(type), bytes: readCount(bytes) };
    });
  });
  if (uploaded.length > 0) return uploaded;
  throw invalidMember('image', 'is required: an image file with a name, as curl -F image=@photo.png sends it.');
};

const deliveries: Readonly<Record<string, ImageRequest['delivery']>> = { url: 'url', b64_json: 'bytes' };

/** @throws GatewayError 400 */
const decodeDelivery = (body: Members): ImageRequest['delivery'] => {
  const name = body.string('response_format');
  if (name === undefined) return undefined;
  if (Object.hasOwn(deliveries, name)) return deliveries[name];
  throw invalidMember('response_format', "must be 'url' or 'b64_json'.");
};

/** The vendor's default, and the only model of it: https://platform.openai.com/docs/api-reference/images/createVariation */
const VARIATIONS_MODEL = 'dall-e-2';

/** @throws GatewayError 400 */
const decodePrompt = (body: Members): string => {
  const prompt = body.requiredString('prompt');
  if (prompt === '') throw invalidMember('prompt', 'is empty; say what the image shows.');
  return prompt;
};

/**
 * Members without a canonical member stay in `extra`. The members of a form are texts.
 * @throws GatewayError 400 that names the member
 */
export const createRequestDecoder =
  (wire: ImagesWire) =>
  ({ body: value, upload }: InboundRequest): DecodedRequest<'image'> => {
    const body = readMembers(value);
    const isForm = upload !== undefined;
    const isVariation = wire === VARIATIONS_WIRE;
    const model = isVariation ? (body.string('model') ?? VARIATIONS_MODEL) : body.requiredString('model');
    const request = {
      prompt: isVariation ? '' : decodePrompt(body),
      images: wire === EDITS_WIRE && !isForm ? decodeImages(body) : [],
      uploaded: isForm ? decodeUploaded(body, Object.keys(readObject(value))) : undefined,
      count: (isForm ? readNumber(body, 'n') : body.number('n', { integer: true, min: 1 })) ?? 1,
      size: body.string('size'),
      quality: body.string('quality'),
      format: body.string('output_format'),
      delivery: decodeDelivery(body),
      // Variations are never streamed: the member is unknown there.
      stream: !isVariation && ((isForm ? readFlag(body, 'stream') : body.boolean('stream')) ?? false),
      user: body.string('user'),
    };
    const members = body.unread();
    // None is what a target without streams has.
    const honoured = Number(members[PARTIAL_IMAGES]) === 0 ? [PARTIAL_IMAGES] : undefined;
    return { model, request: omitUndefined({ ...request, extra: omitUndefined({ wire, members, honoured }) }) };
  };
