import { GatewayError, type ImageRequest, type ImageResponse, type JsonObject } from '../../../core/api/index.ts';
import {
  defineCodec,
  omitUndefined,
  type Lose,
  type ReadContext,
  type TargetProfile,
  writeExtraMembers,
} from '../../../core/api/codec.ts';
import { WIRE } from '../generate-content/shape.ts';
import { decodeError } from '../generate-content/upstream/response/error.ts';
import { decodeResponse as decodeGenerated } from '../generate-content/upstream/response/response.ts';
import { usageMembers } from '../generate-content/usage.ts';
import { loseOthers, readRatio, refuseVariations } from './shape.ts';

/** @throws GatewayError `unsupported_parameter` for an image that exists at another vendor only */
const encodeImage = ({ media }: ImageRequest['images'][number]): JsonObject => {
  if ('base64' in media) return { inlineData: { mimeType: media.mediaType, data: media.base64 } };
  throw new GatewayError(
    'unsupported_parameter',
    "Google reads the bytes of images here: send each as a data URI, 'data:<media type>;base64,<data>'.",
    { param: 'images' },
  );
};

/** @throws GatewayError `unsupported_parameter` that names the member */
const encodeRequest = (request: ImageRequest, { model }: TargetProfile, lose: Lose) => {
  const { prompt, images, count, size, stream: _stream, extra } = request;
  refuseVariations(request, model);
  if (count > 1)
    throw new GatewayError(
      'unsupported_parameter',
      `${model} makes one image in each request, and 'n' asks for ${count}. Send a request for each image.`,
      { param: 'n' },
    );
  const aspectRatio = readRatio(size, lose);
  loseOthers(request, lose);
  return {
    body: {
      contents: [{ role: 'user', parts: [{ text: prompt }, ...images.map(encodeImage)] }],
      generationConfig: omitUndefined({
        // Not every model makes images without text.
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: aspectRatio === undefined ? undefined : { aspectRatio },
      }),
      ...writeExtraMembers(extra, WIRE, lose),
    },
    headers: {},
  };
};

/** @throws GatewayError the error inside a 200, `content_filter`, or `upstream_bad_response` without an image */
const decodeResponse = (body: unknown, context: ReadContext): ImageResponse => {
  const { model, choices, usage } = decodeGenerated(body, context);
  const [choice] = choices;
  const images = (choice?.parts ?? []).flatMap((part) => (part.type === 'media' ? [{ media: part.media }] : []));
  if (images.length > 0)
    return omitUndefined({
      model,
      images,
      format: images[0]?.media.mediaType.replace('image/', ''),
      usage: usage && { ...usage, units: { ...usage.units, images: images.length } },
    });
  const reason = choice?.finish.reason;
  if (reason === 'refusal' || reason === 'content_filter')
    throw new GatewayError('content_filter', 'The provider refused to make the image.', { param: 'prompt' });
  throw new GatewayError('upstream_bad_response', 'The response of the provider has no image.');
};

/**
 * Images of Gemini models, which `:generateContent` returns as parts, for upstreams only:
 * https://ai.google.dev/gemini-api/docs/image-generation
 */
export const geminiImagesCodec = defineCodec<'image'>({
  operation: 'image',
  wire: WIRE,
  upstream: { limits: {}, usageMembers, encodeRequest, decodeResponse, decodeError },
});
