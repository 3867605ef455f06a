import { bodiesOf, countOf, listOf, objectOf, tierOf, type Bill, type Json } from './bill.ts';

const tokensOf = (usage: Json): Bill['counts'] => {
  const split = objectOf(usage['cache_creation']);
  const cacheWrite1h = countOf(split['ephemeral_1h_input_tokens']);
  const written = countOf(usage['cache_creation_input_tokens']);
  const output = countOf(usage['output_tokens']);
  const reasoning = Math.min(output, countOf(objectOf(usage['output_tokens_details'])['thinking_tokens']));
  return {
    input: countOf(usage['input_tokens']),
    cacheRead: countOf(usage['cache_read_input_tokens']),
    cacheWrite5m: Math.max(countOf(split['ephemeral_5m_input_tokens']), written - cacheWrite1h),
    cacheWrite1h,
    output: output - reasoning,
    reasoning,
  };
};

/** Billed in addition to the counts at the top: https://platform.claude.com/docs/en/build-with-claude/compaction */
const additional: ReadonlySet<unknown> = new Set(['compaction', 'advisor_message']);

/** Cached input that Bedrock reports at the end: https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html */
const readMetrics = (metrics: Json): Json => {
  const [read, written] = [metrics['cacheReadInputTokenCount'], metrics['cacheWriteInputTokenCount']].map(countOf);
  if (read === 0 && written === 0) return {};
  return {
    input_tokens: metrics['inputTokenCount'],
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
  };
};

/**
 * https://platform.claude.com/docs/en/api/messages. Events of a stream repeat the usage with what is known so far. The
 * counts at the top of a response that a fallback model served are those of that model; models that declined are not
 * billed.
 */
export const readMessagesBill = (text: string): readonly Bill[] => {
  const found = bodiesOf(text).flatMap((body) => [
    objectOf(objectOf(body['message'])['usage']),
    objectOf(body['usage']),
    readMetrics(objectOf(body['amazon-bedrock-invocationMetrics'])),
  ]);
  const usage: Json = Object.assign(
    {},
    ...found.map((each) => Object.fromEntries(Object.entries(each).filter(([, value]) => value !== null))),
  );
  if (!('input_tokens' in usage) && !('output_tokens' in usage)) return [];
  const iterations = listOf(usage['iterations']);
  const tools = objectOf(usage['server_tool_use']);
  const served = iterations.find(({ type }) => type === 'fallback_message')?.['model'];
  return [
    {
      ...tierOf(usage['speed'] === 'fast' ? 'fast' : usage['service_tier']),
      ...(typeof usage['inference_geo'] === 'string' ? { region: usage['inference_geo'] } : {}),
      ...(typeof served === 'string' ? { model: served } : {}),
      counts: {
        ...tokensOf(usage),
        webSearches: countOf(tools['web_search_requests']),
        webFetches: countOf(tools['web_fetch_requests']),
      },
    },
    ...iterations
      .filter(({ type }) => additional.has(type))
      .map(({ model, ...entry }) => ({
        ...(typeof model === 'string' ? { model } : {}),
        counts: tokensOf(entry),
      })),
  ];
};
