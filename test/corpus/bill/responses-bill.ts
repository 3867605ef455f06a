import { bodiesOf, countOf, objectOf, type Bill } from './bill.ts';

/** https://platform.openai.com/docs/api-reference/responses/object. The last event of a stream has the whole response. */
export const readResponsesBill = (text: string): readonly Bill[] => {
  const response = bodiesOf(text)
    .map((body) => ('response' in body ? objectOf(body['response']) : body))
    .findLast((body) => Object.keys(objectOf(body['usage'])).length > 0);
  if (response === undefined) return [];
  const usage = objectOf(response['usage']);
  const input = objectOf(usage['input_tokens_details']);
  const output = countOf(usage['output_tokens']);
  const reasoning = Math.min(output, countOf(objectOf(usage['output_tokens_details'])['reasoning_tokens']));
  const cacheRead = countOf(input['cached_tokens']);
  const written = countOf(input['cache_write_tokens']);
  const cacheWrite12h = Math.min(written, countOf(objectOf(input['cache_write_tokens_details'])['ttl_12h_tokens']));
  const searches = objectOf(objectOf(response['tool_usage'])['web_search'])['num_requests'];
  return [
    {
      counts: {
        input: Math.max(0, countOf(usage['input_tokens']) - cacheRead - written),
        cacheRead,
        cacheWrite5m: written - cacheWrite12h,
        cacheWrite12h,
        output: output - reasoning,
        reasoning,
        webSearches: countOf(searches),
      },
    },
  ];
};
