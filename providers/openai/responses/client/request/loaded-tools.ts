import { type Members, readList, readMembers, readObject, readText, type Tool } from '../../../../../core/index.ts';

import { decodeTools } from './tools.ts';

/** Items that bring tools into a conversation that has begun: found by a search, or added by the client. */
const carriers: ReadonlySet<string> = new Set(['additional_tools', 'tool_search_output']);

/** A symbol rides along when the tool is spread and is invisible to everyone else. */
const LOADED = Symbol('a tool that stands in an item');
type Loaded = Tool & { readonly [LOADED]?: true };

/** Does the tool stand in an item of the input? On this wire it goes along with the item. */
export const isLoaded = (tool: Tool): boolean => (tool as Loaded)[LOADED] === true;

/**
 * Tools that items of the input brought, for targets that know declarations only. Those that a client declares as well, to be loaded later, are
 * declared once.
 */
export function decodeLoadedTools(body: Members, declared: readonly Tool[]): readonly Tool[] {
  const known = new Set(declared.map(({ name }) => name));
  return readList(body.value('input')).flatMap((value, index) => {
    const item = readObject(value);
    if (!carriers.has(readText(item['type']))) return [];
    return decodeTools(readMembers(value, `input[${index}]`)).flatMap((tool): readonly Loaded[] => {
      if (tool.kind === 'hosted' || known.has(tool.name)) return [];
      known.add(tool.name);
      return [{ ...tool, [LOADED]: true }];
    });
  });
}
