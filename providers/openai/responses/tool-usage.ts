import type { JsonObject, Usage } from '../../../core/api/index.ts';
import { isObject, readCount, readList, readObject, readParts, readText } from '../../../core/api/codec.ts';

/** The model of the tool if the request names none: https://platform.openai.com/docs/guides/tools-image-generation */
export const DEFAULT_IMAGE_MODEL = 'gpt-image-2';

/**
 * The most tokens of one image: of high quality, 1024 x 1536 pixels.
 * https://platform.openai.com/docs/guides/image-generation#cost-and-latency
 */
export const MAX_IMAGE_TOKENS = 6_240;

/** The model of the image generation tool. The response repeats the tools of its request. */
const readImageModel = (response: Readonly<JsonObject>): string => {
  const tool = readList(response['tools'])
    .filter(isObject)
    .find(({ type }) => type === 'image_generation');
  return readText(tool?.['model']) || DEFAULT_IMAGE_MODEL;
};

/** The tokens of the images that a tool generated for the response: calls of another model, billed in addition. */
const readImages = (tool: Readonly<JsonObject>, response: Readonly<JsonObject>): Pick<Usage, 'further'> => {
  const input = readCount(tool['input_tokens']);
  const output = readCount(tool['output_tokens']);
  if (input + output === 0) return {};
  const cacheRead = Math.min(input, readCount(tool['cached_tokens']));
  const images =
    readCount(readObject(tool['input_tokens_details'])['image_tokens']) -
    readCount(readObject(tool['cached_tokens_details'])['cached_image_tokens']);
  const call: Usage = {
    inputUncached: input - cacheRead,
    cacheRead,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output,
    reasoning: 0,
    ...readParts(input - cacheRead, { inputImage: images }),
    ...readParts(output, { outputImage: readObject(tool['output_tokens_details'])['image_tokens'] }),
    model: readImageModel(response),
    source: 'provider',
    raw: tool,
  };
  return { further: [call] };
};

/** What the vendor's hosted tools used, which is not in `usage`: billable searches, and tokens of generated images. */
export function readToolUsage(response: Readonly<JsonObject>): Pick<Usage, 'units' | 'further'> {
  const { tool_usage: tools } = response;
  if (!isObject(tools)) return {};
  const webSearches = readCount(readObject(tools['web_search'])['num_requests']);
  return {
    ...(webSearches > 0 ? { units: { webSearches } } : {}),
    ...readImages(readObject(tools['image_gen']), response),
  };
}
