import type { JsonObject, OpaquePart, WebSearch } from '../../../core/api/index.ts';
import { type Lose, omitUndefined, readList, readObject, readText } from '../../../core/api/codec.ts';
import { readLocation, readTexts, writeLocation } from '../chat-completions/web-search.ts';
import { WIRE } from './shape.ts';

/** https://platform.openai.com/docs/guides/tools-web-search */
export const SEARCH_TYPE = /^web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/;

const known: ReadonlySet<string> = new Set([
  'type',
  'external_web_access',
  'filters',
  'user_location',
  'search_context_size',
]);

/**
 * A search that other vendors can carry out as well. `undefined` for one that must not access the web: it finds cached
 * pages only, which no other vendor can promise. Nothing is refused here: the vendor of this wire gets the tool as it
 * is.
 */
export function readWebSearch(tool: Readonly<JsonObject>): WebSearch | undefined {
  if (tool['external_web_access'] === false) return undefined;
  const { allowed_domains: domains, ...filters } = readObject(tool['filters']);
  const other = [
    ...Object.keys(filters).map((name) => `filters.${name}`),
    ...Object.keys(tool).filter((name) => !known.has(name) && tool[name] !== null),
  ];
  return omitUndefined({
    allowedDomains: readTexts(domains),
    location: readLocation(tool['user_location']),
    contextSize: readText(tool['search_context_size']) || undefined,
    other: other.length === 0 ? undefined : other,
  });
}

/** A search of another wire. */
export function writeWebSearch(search: WebSearch, path: string, lose: Lose): JsonObject {
  const { allowedDomains, blockedDomains, location, contextSize } = search;
  if (blockedDomains !== undefined) lose(path, 'approximated', 'responses cannot exclude domains from a search');
  return omitUndefined({
    type: 'web_search',
    filters: allowedDomains === undefined ? undefined : { allowed_domains: allowedDomains },
    user_location: location === undefined ? undefined : { type: 'approximate', ...writeLocation(location) },
    search_context_size: contextSize,
  });
}

/** The value of `include` that requests the sources of searches. */
export const SEARCH_SOURCES = 'web_search_call.action.sources';

/** An item that only this wire defines. Of a search, other wires can show what it was for and what it found. */
export function readOpaqueItem(item: Readonly<JsonObject>): OpaquePart {
  const part = { type: 'opaque', wire: WIRE, value: item } as const;
  const action = readObject(item['action']);
  if (item['type'] !== 'web_search_call' || readText(action['type']) !== 'search') return part;
  const queries = readList(action['queries']).map(readText).filter(Boolean);
  const sources = readList(action['sources']).flatMap((source) => {
    const url = readText(readObject(source)['url']);
    return url === '' ? [] : [{ url }];
  });
  const query = readText(action['query']);
  return {
    ...part,
    search: { id: readText(item['id']), queries: queries.length > 0 || query === '' ? queries : [query], sources },
  };
}
