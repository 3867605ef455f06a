import type { JsonObject, Usage } from '../../../core/api/index.ts';
import {
  isObject,
  readCount,
  readList,
  readObject,
  readObjects,
  readParts,
  readText,
} from '../../../core/api/codec.ts';

/** The model of the tool if the request names none: https://platform.openai.com/docs/guides/tools-image-generation */
export const DEFAULT_IMAGE_MODEL = 'gpt-image-2';

/**
 * The most tokens of one image: of high quality, 1024 x 1536 pixels.
 * https://platform.openai.com/docs/guides/image-generation#cost-and-latency
 */
export const MAX_IMAGE_TOKENS = 6_240;

/** The model of the image generation tool. The response repeats the tools of its request. */
const readImageModel = (response: Readonly<JsonObject>): string => {
  const tool = readObjects(response['tools']).find(({ type }) => type === 'image_generation');
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

/**
 * Whether the item is a search that is billed. Opening a page, or finding in it, is no search.
 * https://platform.openai.com/docs/guides/tools-web-search#output-and-citations
 */
const isBilledSearch = (item: unknown): boolean =>
  isObject(item) &&
  item['type'] === 'web_search_call' &&
  item['status'] !== 'failed' &&
  readObject(item['action'])['type'] === 'search';

/**
 * The searches in the output of a response.
 * @param streamed the items of the stream, which count if the output is empty: some proxies leave it so
 */
export const countSearches = ({ output }: Readonly<JsonObject>, streamed: readonly JsonObject[] = []): number => {
  const items = readList(output);
  let searches = 0;
  for (const item of items.length > 0 ? items : streamed) if (isBilledSearch(item)) searches += 1;
  return searches;
};

/**
 * The billable searches: those of `tool_usage`, else those that `usage` reports, else those in the output. The reports
 * of several vendors can be there at once, about the same searches.
 */
const readUnits = (response: Readonly<JsonObject>, own: Usage['units'], searches: number): Usage['units'] => {
  const reported = readObject(readObject(response['tool_usage'])['web_search'])['num_requests'];
  const isReported =
    own?.webSearches !== undefined || 'server_side_tool_usage_details' in readObject(response['usage']);
  const webSearches = typeof reported === 'number' ? readCount(reported) : isReported ? 0 : searches;
  return webSearches === 0 ? own : { ...own, webSearches };
};

/**
 * What the vendor's hosted tools used, which is not in `usage`: billable searches, and tokens of generated images.
 * @param own the units that `usage` reports
 * @param searches the searches in the output: see {@link countSearches}
 */
export function readToolUsage(
  response: Readonly<JsonObject>,
  own: Usage['units'],
  searches: number,
): Pick<Usage, 'units' | 'further'> {
  const units = readUnits(response, own, searches);
  return {
    ...(units === undefined ? {} : { units }),
    ...readImages(readObject(readObject(response['tool_usage'])['image_gen']), response),
  };
}
