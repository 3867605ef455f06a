import type { JsonObject, OpaquePart, Tool, WebSearch } from '../../../core/api/index.ts';
import { isObject, type Lose, omitUndefined, readList, readObject, readText } from '../../../core/api/codec.ts';

type Location = NonNullable<WebSearch['location']>;

const members = ['country', 'region', 'city', 'timezone'] as const satisfies readonly (keyof Location)[];

/** An approximate location. Chat completions nests its members, responses does not. */
export function readLocation(value: unknown): Location | undefined {
  const location = readObject(readObject(value)['approximate'] ?? value);
  const known = members.flatMap((name) => {
    const text = readText(location[name]);
    return text === '' ? [] : [[name, text] as const];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

export const writeLocation = ({ country, region, city, timezone }: Location): JsonObject =>
  omitUndefined({ country, region, city, timezone });

/** A list of texts that are not empty; `undefined` without any. */
export function readTexts(value: unknown): readonly string[] | undefined {
  const texts = readList(value).map(readText).filter(Boolean);
  return texts.length === 0 ? undefined : texts;
}

/**
 * The member that lets a model of this wire search the web.
 * https://platform.openai.com/docs/guides/tools-web-search
 */
export const SEARCH_OPTIONS = 'web_search_options';

/** The search of a request. The member stays among the extra members, which the vendor of this wire gets. */
export function decodeSearch(body: unknown): readonly Tool[] {
  const options = readObject(body)[SEARCH_OPTIONS];
  if (!isObject(options)) return [];
  const { search_context_size: size, user_location: location, ...others } = options;
  const other = Object.keys(others);
  const webSearch = omitUndefined<WebSearch>({
    location: readLocation(location),
    contextSize: readText(size) || undefined,
    other: other.length === 0 ? undefined : other,
  });
  return [{ kind: 'hosted', name: 'web_search', option: SEARCH_OPTIONS, webSearch }];
}

/** The options for a search of another wire. */
export function encodeSearch(tools: readonly Tool[], lose: Lose): JsonObject {
  const index = tools.findIndex(({ webSearch }) => webSearch !== undefined);
  const search = tools[index]?.webSearch;
  if (search === undefined) return {};
  const { allowedDomains, blockedDomains, location, maxUses, contextSize } = search;
  if (allowedDomains !== undefined || blockedDomains !== undefined || maxUses !== undefined)
    lose(`tools[${index}]`, 'approximated', 'chat-completions limits neither the domains nor the number of searches');
  return {
    [SEARCH_OPTIONS]: omitUndefined({
      search_context_size: contextSize,
      user_location: location === undefined ? undefined : { type: 'approximate', approximate: writeLocation(location) },
    }),
  };
}

/** Reports a block of another wire. Of a search, this wire shows the sources that the text cites. */
export const loseOpaque = ({ wire, search }: OpaquePart, path: string, lose: Lose): void =>
  search === undefined
    ? lose(`${path}.content`, 'dropped', `a block that exists only on ${wire}`)
    : lose(
        `${path}.annotations`,
        'dropped',
        'of a search, chat-completions shows only the sources that the text cites',
      );
