import type { JsonObject, Usage } from '../../core/api/index.ts';
import { readCount, readObject } from '../../core/api/codec.ts';

/** The members that count by unit: of OpenRouter, xAI (2), Perplexity and Mistral. Most vendors have none of them. */
export const unitMembers: ReadonlySet<string> = new Set([
  'server_tool_use_details',
  'server_side_tool_usage_details',
  'num_sources_used',
  'num_search_queries',
  'prompt_audio_seconds',
]);

/** xAI bills searches on X like those of the web. */
const readSearches = (usage: Readonly<JsonObject>): number => {
  const tools = readObject(usage['server_side_tool_usage_details']);
  return (
    readCount(readObject(usage['server_tool_use_details'])['web_search_requests']) ||
    readCount(tools['web_search_calls']) + readCount(tools['x_search_calls']) ||
    readCount(usage['num_search_queries']) ||
    readCount(usage['num_sources_used'])
  );
};

/** What a usage object counts by unit. */
export function readUnits(usage: Readonly<JsonObject>): Pick<Usage, 'units'> {
  const units = {
    webSearches: readSearches(usage),
    webFetches: readCount(readObject(usage['server_tool_use_details'])['web_fetch_requests']),
    images: readCount(readObject(usage['server_side_tool_usage_details'])['image_generation_calls']),
    seconds: readCount(usage['prompt_audio_seconds']),
  };
  const used = Object.entries(units).filter(([, count]) => count > 0);
  return used.length === 0 ? {} : { units: Object.fromEntries(used) };
}

const NANO = 1e9;
/** USD. No call costs more. */
const MOST = 100_000;

const isCost = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= MOST;

/**
 * What a call costs, in nano-dollars, as OpenRouter reports it: `cost` in USD. For a call with a key of one's own at
 * the vendor it is the fee of OpenRouter, and the vendor's cost is beside it.
 * https://openrouter.ai/docs/use-cases/usage-accounting
 */
export function readReportedCost(usage: Readonly<JsonObject>): Pick<Usage, 'reportedCost'> {
  const { cost, is_byok: isOwnKey, cost_details: details } = usage;
  const vendor = isOwnKey === true ? readObject(details)['upstream_inference_cost'] : 0;
  return isCost(cost) && isCost(vendor) ? { reportedCost: Math.round((cost + vendor) * NANO) } : {};
}
