import { bodiesOf, countOf, listOf, objectOf, tierOf, type Bill, type Json } from './bill.ts';

/** Images are made by another model: https://platform.openai.com/docs/guides/tools-image-generation */
const readImages = (response: Json, usage: Json): readonly Bill[] => {
  const [input, output] = [countOf(usage['input_tokens']), countOf(usage['output_tokens'])];
  if (input + output === 0) return [];
  const tool = listOf(response['tools']).find(({ type }) => type === 'image_generation');
  const inputImage = countOf(objectOf(usage['input_tokens_details'])['image_tokens']);
  const outputImage = countOf(objectOf(usage['output_tokens_details'])['image_tokens']);
  const counts = { input: input - inputImage, inputImage, output: output - outputImage, outputImage };
  return [{ model: typeof tool?.['model'] === 'string' ? tool['model'] : 'gpt-image-2', counts }];
};

/**
 * Searches that no report has are counted: each call of the tool that searches, and no call that opens a page.
 * https://platform.openai.com/docs/guides/tools-web-search#output-and-citations
 */
const countSearches = (output: unknown): number =>
  listOf(output).filter(
    ({ type, status, action }) =>
      type === 'web_search_call' && status !== 'failed' && objectOf(action)['type'] === 'search',
  ).length;

/** https://platform.openai.com/docs/api-reference/responses/object. The last event of a stream has all of it. */
export const readResponsesBill = (text: string): readonly Bill[] => {
  const response = bodiesOf(text)
    .map((body) => ('response' in body ? objectOf(body['response']) : body))
    .findLast((body) => Object.keys(objectOf(body['usage'])).length > 0);
  if (response === undefined) return [];
  const usage = objectOf(response['usage']);
  const input = objectOf(usage['input_tokens_details']);
  const output = countOf(usage['output_tokens']);
  const reasoning = countOf(objectOf(usage['output_tokens_details'])['reasoning_tokens']);
  const cacheRead = countOf(input['cached_tokens']);
  const written = countOf(input['cache_write_tokens']);
  const cacheWrite12h = Math.min(written, countOf(objectOf(input['cache_write_tokens_details'])['ttl_12h_tokens']));
  const tools = objectOf(response['tool_usage']);
  // Those of xAI: https://docs.x.ai/docs/guides/tools/overview
  const {
    web_search_calls: web,
    x_search_calls: x,
    image_generation_calls: images,
  } = objectOf(usage['server_side_tool_usage_details']);
  const isReported =
    typeof objectOf(tools['web_search'])['num_requests'] === 'number' || 'server_side_tool_usage_details' in usage;
  const searches = isReported ? 0 : countSearches(response['output']);
  return [
    {
      ...tierOf(response['service_tier']),
      counts: {
        input: Math.max(0, countOf(usage['input_tokens']) - cacheRead - written),
        cacheRead,
        cacheWrite5m: written - cacheWrite12h,
        cacheWrite12h,
        // Output that is less than the reasoning does not include it.
        output: reasoning > output ? output : output - reasoning,
        reasoning,
        webSearches: countOf(objectOf(tools['web_search'])['num_requests']) + countOf(web) + countOf(x) + searches,
        images: countOf(images),
      },
    },
    ...readImages(response, objectOf(tools['image_gen'])),
  ];
};
