import { GatewayError, type ImageResponse, type JsonObject } from '../../../core/api/index.ts';
import { isObject, malformedBody, noTokens, readList, readText } from '../../../core/api/codec.ts';

/** What the makers of models write in place of an image that they refuse. Stability AI has it in a list. */
const FILTERED = /filter reason|content|moderation|policy/i;

const readReason = ({ error, finish_reasons: reasons }: Readonly<JsonObject>): string =>
  readText(error) || readList(reasons).map(readText).join(' ').trim();

/** The media type by the first bytes: the body has none. */
const typeOf = (base64: string): string => (base64.startsWith('/9j/') ? 'image/jpeg' : 'image/png');

/**
 * The vendor bills by image, and reports no usage: https://aws.amazon.com/bedrock/pricing/
 * @throws GatewayError `content_filter` if all images were refused, or `upstream_bad_response`
 */
export function decodeResponse(body: unknown): ImageResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  const images = readList(body['images']).flatMap((image) => {
    const base64 = readText(image);
    return base64 === '' ? [] : [{ media: { mediaType: typeOf(base64), base64 } }];
  });
  const [first] = images;
  if (first === undefined)
    throw FILTERED.test(readReason(body))
      ? new GatewayError('content_filter', 'The provider refused to make the images.', { param: 'prompt' })
      : malformedBody('has no images');
  return {
    images,
    format: first.media.mediaType.replace('image/', ''),
    usage: { ...noTokens, units: { images: images.length }, source: 'provider' },
  };
}
