import type { Tool } from '../../../../../core/api/index.ts';
import { type Members, readList, readMembers, readObject, readText } from '../../../../../core/api/codec.ts';

import { decodeTools } from './tools.ts';

/** Items that add tools during a conversation: found by a search, or added by the client. */
export const carriers: ReadonlySet<string> = new Set(['additional_tools', 'tool_search_output']);

/** A symbol is copied when the tool is spread, and no other code sees it. */
const LOADED = Symbol('tool of an input item');
type Loaded = Tool & { readonly [LOADED]?: true };

/** Whether the tool comes from an input item. On this wire it is sent with that item. */
export const isLoaded = (tool: Tool): boolean => (tool as Loaded)[LOADED] === true;

/**
 * The tools of input items, for targets that take declarations only. A tool that the client also declares is not listed
 * again.
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
