import type { JsonObject, Usage } from '../../core/api/index.ts';
import { isObject, readCount, readObject } from '../../core/api/codec.ts';

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

/** Of xAI, in a dollar. https://docs.x.ai/developers/cost-tracking */
const TICKS = 1e10;

/**
 * What a call costs in USD, as a vendor reports it. OpenRouter: `cost`; for a call with a key of one's own at the
 * vendor it is the fee of OpenRouter, and the vendor's cost is beside it. Perplexity: a total. xAI: ticks.
 * https://openrouter.ai/docs/use-cases/usage-accounting, https://docs.perplexity.ai/api-reference/responses-post
 */
const readDollars = (usage: Readonly<JsonObject>): unknown => {
  const { cost, cost_in_usd_ticks: ticks } = usage;
  if (isObject(cost)) return cost['currency'] === 'USD' ? cost['total_cost'] : undefined;
  if (cost === undefined) return typeof ticks === 'number' ? ticks / TICKS : undefined;
  const { is_byok: isOwnKey, cost_details: details } = usage;
  const vendor = isOwnKey === true ? readObject(details)['upstream_inference_cost'] : 0;
  return isCost(cost) && isCost(vendor) ? cost + vendor : undefined;
};

/** The cost that a vendor reports, in nano-dollars. */
export function readReportedCost(usage: Readonly<JsonObject>): Pick<Usage, 'reportedCost'> {
  const dollars = readDollars(usage);
  return isCost(dollars) ? { reportedCost: Math.round(dollars * NANO) } : {};
}
