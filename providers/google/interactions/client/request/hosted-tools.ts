import type { HostedTool } from '../../../../../core/api/index.ts';
import { isObject, lookUp, omitUndefined, readList, readObject, readText } from '../../../../../core/api/codec.ts';
import { readWebSearch } from '../../web-search.ts';

type Facts = Pick<HostedTool, 'kind' | 'billed' | 'tokens'>;

/**
 * The tools that run at the vendor, by their types. None has a cap on its uses.
 * https://ai.google.dev/api/interactions-api https://ai.google.dev/gemini-api/docs/pricing
 */
const byType: Readonly<Record<string, Facts>> = {
  // With `search_types` of another kind it has a price of its own.
  google_search: { kind: 'web_search' },
  url_context: { kind: 'web_fetch', billed: 'tokens' },
  code_execution: { kind: 'code_execution', billed: 'tokens', tokens: { input: 0 } },
  file_search: { kind: 'file_search', billed: 'tokens' },
  retrieval: { kind: 'file_search' },
  google_maps: { kind: 'maps' },
  mcp_server: { kind: 'mcp', billed: 'tokens' },
  // The client executes its calls.
  computer_use: { kind: 'computer', billed: 'tokens', tokens: { input: 0 } },
};

const none: readonly HostedTool[] = [];

/** The tools of a request that run at the vendor. */
export function listHostedTools(body: unknown): readonly HostedTool[] {
  const { tools } = readObject(body);
  if (tools === undefined) return none;
  return readList(tools).flatMap((tool, index): readonly HostedTool[] => {
    if (!isObject(tool) || tool['type'] === 'function') return [];
    const type = readText(tool['type']);
    return [
      omitUndefined<HostedTool>({
        ...lookUp(byType, type),
        ...(readWebSearch(tool).webSearch === undefined ? {} : { billed: 'webSearches' }),
        type,
        name: readText(tool['name']) || undefined,
        place: ['tools', index],
      }),
    ];
  });
}
