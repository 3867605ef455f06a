import { GatewayError, type ImageRequest, type ImageResponse } from '../../../core/api/index.ts';
import {
  defineCodec,
  isObject,
  type Lose,
  malformedBody,
  noTokens,
  omitUndefined,
  readObjects,
  readText,
  type TargetProfile,
  writeExtraMembers,
} from '../../../core/api/codec.ts';
import { decodeEmbeddedError, decodeError, hasError } from '../generate-content/upstream/response/error.ts';
import { loseOthers, readRatio, refuseVariations } from './shape.ts';

const WIRE = 'predict';

/** @throws GatewayError `unsupported_parameter` that names the member */
const encodeRequest = (request: ImageRequest, { model }: TargetProfile, lose: Lose) => {
  const { prompt, images, count, size, stream: _stream, extra } = request;
  refuseVariations(request, model);
  if (images.length > 0)
    throw new GatewayError('unsupported_parameter', `${model} makes images from a prompt, and edits none.`, {
      param: 'images',
    });
  const aspectRatio = readRatio(size, lose);
  loseOthers(request, lose);
  return {
    body: {
      instances: [{ prompt }],
      parameters: omitUndefined({ sampleCount: count, aspectRatio }),
      ...writeExtraMembers(extra, WIRE, lose),
    },
    headers: {},
  };
};

/** @throws GatewayError the error inside a 200, `content_filter` if all were filtered, or `upstream_bad_response` */
const decodeResponse = (body: unknown): ImageResponse => {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  if (hasError(body)) throw decodeEmbeddedError(body);
  const predictions = readObjects(body['predictions']);
  const images = predictions.flatMap(({ bytesBase64Encoded, mimeType }) => {
    const base64 = readText(bytesBase64Encoded);
    return base64 === '' ? [] : [{ media: { mediaType: readText(mimeType) || 'image/png', base64 } }];
  });
  if (images.length === 0)
    throw 'predictions' in body && predictions.length === 0
      ? malformedBody('has no images')
      : new GatewayError('content_filter', 'The provider refused to make the images.', { param: 'prompt' });
  return omitUndefined({
    images,
    format: images[0]?.media.mediaType.replace('image/', ''),
    // Imagen is billed by image, and reports no usage.
    usage: {
      ...noTokens,
      units: { images: images.length },
      source: 'provider' as const,
    },
  });
};

/**
 * `:predict` of Imagen, for upstreams only: https://ai.google.dev/gemini-api/docs/imagen and
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api
 */
export const imagenCodec = defineCodec<'image'>({
  operation: 'image',
  wire: WIRE,
  upstream: { limits: {}, encodeRequest, decodeResponse, decodeError },
});
