import type { GeneratedImage, ImageResponse, JsonObject } from '../../../../core/api/index.ts';
import { malformedBody, omitUndefined, readObjects, readText } from '../../../../core/api/codec.ts';
import { requireBody } from '../../chat-completions/upstream/response/error.ts';
import { readUsage } from '../usage.ts';

const textOf = (value: unknown): string | undefined => readText(value) || undefined;

const hasImage = ({ b64_json: base64, url }: JsonObject): boolean => readText(base64) !== '' || readText(url) !== '';

const decodeImage = (image: JsonObject, format: string): GeneratedImage => {
  const base64 = readText(image['b64_json']);
  // OpenRouter says the type of each image (rubyll-37617a6b).
  const mediaType = readText(image['media_type']) || `image/${format}`;
  return omitUndefined({
    media: base64 === '' ? { mediaType, url: readText(image['url']) } : { mediaType, base64 },
    revisedPrompt: textOf(image['revised_prompt']),
  });
};

/** @throws GatewayError the error inside a 200, or `upstream_bad_response` */
export function decodeResponse(value: unknown): ImageResponse {
  const body = requireBody(value);
  const images = readObjects(body['data']).filter(hasImage);
  if (images.length === 0) throw malformedBody('has no images');
  const format = readText(body['output_format']) || 'png';
  const { created } = body;
  return omitUndefined({
    created: typeof created === 'number' && created > 0 ? created : undefined,
    model: textOf(body['model']),
    images: images.map((image) => decodeImage(image, format)),
    size: textOf(body['size']),
    quality: textOf(body['quality']),
    format: textOf(body['output_format']),
    background: textOf(body['background']),
    usage: readUsage(body, images.length),
  });
}
