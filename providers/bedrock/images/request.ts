import { GatewayError, type ImageRequest, type JsonObject } from '../../../core/api/index.ts';
import { omitUndefined, writeExtraMembers, type Lose, type TargetProfile } from '../../../core/api/codec.ts';
import { WIRE } from './shape.ts';
import { readNovaSize, readRatio } from './size.ts';

const MAX_IMAGES = 5;

/**
 * The qualities of Nova Canvas, by those of clients: https://platform.openai.com/docs/api-reference/images/create and
 * https://docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html
 */
const qualities: ReadonlyMap<string, string> = new Map([
  ['standard', 'standard'],
  ['premium', 'premium'],
  ['low', 'standard'],
  ['medium', 'standard'],
  ['high', 'premium'],
  ['hd', 'premium'],
]);

const refuse = (param: string, message: string): GatewayError =>
  new GatewayError('unsupported_parameter', message, { param });

const readQuality = (quality: string | undefined, lose: Lose): string | undefined => {
  if (quality === undefined || quality === 'auto') return undefined;
  const own = qualities.get(quality);
  if (own === undefined) lose('quality', 'dropped', 'Nova Canvas has the qualities standard and premium');
  else if (own !== quality) lose('quality', 'approximated', `'${own}' of Nova Canvas`);
  return own;
};

/** The vendor reads the type from the bytes: https://docs.aws.amazon.com/nova/latest/userguide/image-gen-access.html */
const inputTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);

/** @throws GatewayError `unsupported_parameter` for an image of another type, or one that exists at another vendor */
const readBytes = ({ media }: ImageRequest['images'][number]): string => {
  if (!('base64' in media))
    throw refuse(
      'images',
      "Bedrock reads the bytes of images here: send each as a data URI, 'data:<media type>;base64,<data>'.",
    );
  if (inputTypes.has(media.mediaType)) return media.base64;
  throw refuse('images', `Nova Canvas reads images of the types PNG and JPEG, and none of '${media.mediaType}'.`);
};

const encodeTask = ({ prompt, images }: ImageRequest, lose: Lose): JsonObject => {
  if (images.length === 0) return { taskType: 'TEXT_IMAGE', textToImageParams: { text: prompt } };
  const isEdit = prompt !== '';
  if (isEdit) lose('images', 'approximated', 'Nova Canvas makes variations of the images after the prompt');
  return {
    taskType: 'IMAGE_VARIATION',
    imageVariationParams: { ...(isEdit ? { text: prompt } : {}), images: images.map(readBytes) },
  };
};

const encodeNova = (request: ImageRequest, lose: Lose): JsonObject => {
  const { count, images, size, quality, format } = request;
  if (count > MAX_IMAGES)
    throw refuse('n', `Nova Canvas makes at most ${MAX_IMAGES} images in each request, and 'n' asks for ${count}.`);
  if (images.length > MAX_IMAGES)
    throw refuse('images', `Nova Canvas reads at most ${MAX_IMAGES} images, and the request has ${images.length}.`);
  if (format !== undefined && format !== 'png') lose('output_format', 'dropped', 'Nova Canvas makes PNG files');
  return {
    ...encodeTask(request, lose),
    imageGenerationConfig: omitUndefined({
      numberOfImages: count,
      ...readNovaSize(size, lose),
      quality: readQuality(quality, lose),
    }),
  };
};

const encodeStability = (request: ImageRequest, model: string, lose: Lose): JsonObject => {
  const { prompt, images, count, size, quality, format } = request;
  if (images.length > 0) throw refuse('images', `${model} makes images from a prompt, and edits none.`);
  if (count > 1)
    throw refuse(
      'n',
      `${model} makes one image in each request, and 'n' asks for ${count}. Send a request for each image.`,
    );
  if (quality !== undefined && quality !== 'auto') lose('quality', 'dropped', 'models of Stability AI have none');
  const isKnown = format === 'png' || format === 'jpeg';
  if (format !== undefined && !isKnown) lose('output_format', 'dropped', 'Stability AI makes PNG and JPEG files');
  return omitUndefined({
    prompt,
    aspect_ratio: readRatio(size, lose),
    output_format: isKnown ? format : undefined,
  });
};

/** The body for the maker of the model. @throws GatewayError `unsupported_parameter` that names the member */
export function encodeRequest(request: ImageRequest, { model }: TargetProfile, lose: Lose) {
  const { delivery, user, stream: _stream, extra } = request;
  if (delivery === 'url') lose('response_format', 'approximated', 'Bedrock returns the bytes of an image');
  if (user !== undefined) lose('user', 'dropped', 'Bedrock has no such member');
  const body = model.includes('stability.') ? encodeStability(request, model, lose) : encodeNova(request, lose);
  return { body: { ...body, ...writeExtraMembers(extra, WIRE, lose) }, headers: {} };
}
