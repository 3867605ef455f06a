import type { JsonObject, OpaquePart, SearchCall, Tool, WebSearch } from '../../../core/api/index.ts';
import { isObject, type Lose, omitUndefined, readList, readObject, readText } from '../../../core/api/codec.ts';
import { WIRE } from './shape.ts';

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool */
const SEARCH_TYPE = /^web_search_\d{8}$/;

const known: ReadonlySet<string> = new Set([
  'type',
  'name',
  'allowed_callers',
  'allowed_domains',
  'blocked_domains',
  'cache_control',
  'max_uses',
  'user_location',
]);

const readTexts = (value: unknown): readonly string[] | undefined => {
  const texts = readList(value).map(readText).filter(Boolean);
  return texts.length === 0 ? undefined : texts;
};

const readLocation = (value: unknown): WebSearch['location'] => {
  const { country, region, city, timezone } = readObject(value);
  const location = omitUndefined({
    country: readText(country) || undefined,
    region: readText(region) || undefined,
    city: readText(city) || undefined,
    timezone: readText(timezone) || undefined,
  });
  return Object.keys(location).length === 0 ? undefined : location;
};

/** A search that other vendors can carry out as well. Nothing is refused: the vendor of this wire gets it as it is. */
export function readWebSearch(type: string, tool: Readonly<JsonObject>): Pick<Tool, 'webSearch'> {
  if (!SEARCH_TYPE.test(type)) return {};
  const { max_uses: maxUses } = tool;
  const other = Object.keys(tool).filter((name) => !known.has(name) && tool[name] !== null);
  const webSearch = omitUndefined<WebSearch>({
    allowedDomains: readTexts(tool['allowed_domains']),
    blockedDomains: readTexts(tool['blocked_domains']),
    location: readLocation(tool['user_location']),
    maxUses: typeof maxUses === 'number' ? maxUses : undefined,
    other: other.length === 0 ? undefined : other,
  });
  return { webSearch };
}

/** A search of another wire, in the version that every model with a search has. */
export function writeWebSearch(search: WebSearch, path: string, lose: Lose): JsonObject {
  const { allowedDomains, blockedDomains, location, maxUses, contextSize } = search;
  if (contextSize !== undefined) lose(path, 'approximated', 'messages has no size for the context of a search');
  return omitUndefined({
    type: 'web_search_20250305',
    name: 'web_search',
    allowed_domains: allowedDomains,
    // The vendor takes one of the two lists.
    blocked_domains: allowedDomains === undefined ? blockedDomains : undefined,
    max_uses: maxUses,
    user_location: location === undefined ? undefined : { type: 'approximate', ...location },
  });
}

/** A block that only this wire has. Of a search, other wires can show what it was for and what it found. */
export function readOpaqueBlock(block: Readonly<JsonObject>): OpaquePart {
  const part = { type: 'opaque', wire: WIRE, value: block } as const;
  if (block['type'] === 'server_tool_use' && block['name'] === 'web_search') {
    const query = readText(readObject(block['input'])['query']);
    return { ...part, search: { id: readText(block['id']), queries: query === '' ? [] : [query] } };
  }
  if (block['type'] !== 'web_search_tool_result') return part;
  const sources = readList(block['content']).flatMap((result) => {
    const { url, title } = readObject(result);
    if (readText(url) === '') return [];
    return [{ url: readText(url), ...(readText(title) === '' ? {} : { title: readText(title) }) }];
  });
  return { ...part, search: { id: readText(block['tool_use_id']), sources } };
}

/**
 * A search of another vendor, for clients: the search and its results. The results have no content, so the vendor of
 * this wire does not take them back.
 */
export function writeSearch({
  id = '',
  queries,
  sources,
}: SearchCall): readonly (JsonObject & { readonly type: string })[] {
  const name = id.startsWith(FOREIGN) ? id : FOREIGN + id.replaceAll(/[^a-zA-Z0-9_]/g, '_');
  const direct = { caller: { type: 'direct' } };
  const call = { type: 'server_tool_use', id: name, name: 'web_search', input: { query: queries?.join(', ') ?? '' } };
  const content = (sources ?? []).map(({ url, title = url }) => ({
    type: 'web_search_result',
    url,
    title,
    encrypted_content: '',
    page_age: null,
  }));
  return [
    ...(queries === undefined ? [] : [{ ...call, ...direct }]),
    ...(sources === undefined ? [] : [{ type: 'web_search_tool_result', tool_use_id: name, content, ...direct }]),
  ];
}

/** How the ids of searches of other vendors begin. */
const FOREIGN = 'srvtoolu_other_';

/** Whether a block is a search of another vendor, which {@link writeSearch} has written. */
export const isForeignSearch = (block: unknown): boolean =>
  isObject(block) && readText(block['id'] ?? block['tool_use_id']).startsWith(FOREIGN);
