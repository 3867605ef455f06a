import type { GeneratedImage, ImageResponse, JsonObject } from '../../../../core/api/index.ts';
import { omitUndefined, type WriteContext } from '../../../../core/api/codec.ts';
import { writeUsage } from '../usage.ts';

const encodeImage = ({ media, revisedPrompt }: GeneratedImage): JsonObject =>
  omitUndefined({
    url: 'url' in media ? media.url : undefined,
    b64_json: 'base64' in media ? media.base64 : undefined,
    revised_prompt: revisedPrompt,
  });

/** https://platform.openai.com/docs/api-reference/images/object */
export const encodeResponse = (
  { created, images, size, quality, format, background, usage }: ImageResponse,
  context: Pick<WriteContext<'image'>, 'created'>,
): JsonObject =>
  omitUndefined({
    created: created ?? context.created,
    background,
    data: images.map(encodeImage),
    output_format: format,
    quality,
    size,
    usage: writeUsage(usage),
  });
