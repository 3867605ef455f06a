import type { Lose } from './loss.ts';
import type { GenerateRequest, Turn } from './request.ts';
import type { Tool } from './tool.ts';

type ByName = ReadonlyMap<string, Tool>;

/** One index per list of tools: a request can name each of ten thousand tools in its choice and in its calls. */
const indexes = new WeakMap<readonly Tool[], ByName>();

const indexTools = (tools: readonly Tool[]): ByName => {
  const index = new Map<string, Tool>();
  for (const tool of tools) {
    const known = index.get(tool.name);
    // A hosted tool is chosen by its name but never called by it, so a function of the same name takes precedence.
    if (known === undefined || (known.kind === 'hosted' && tool.kind !== 'hosted')) index.set(tool.name, tool);
  }
  indexes.set(tools, index);
  return index;
};

/** Finds a tool by name. If there are several, the first function or custom tool. */
export const findTool = (tools: readonly Tool[], name: string): Tool | undefined =>
  (indexes.get(tools) ?? indexTools(tools)).get(name);

/**
 * The tools that a wire declares which cannot restrict the choice to several: only the allowed ones. Forcing one tool
 * keeps all declarations, and with them the prompt cache.
 */
export function selectTools({ tools, toolChoice }: GenerateRequest, lose: Lose): readonly Tool[] {
  const { mode, only } = toolChoice ?? {};
  if (only === undefined || mode === 'none' || (mode === 'required' && only.length === 1)) return tools;
  const wanted = new Set(only);
  const subset = tools.filter(({ name }) => wanted.has(name));
  if (subset.length === 0 || subset.length === tools.length) return tools;
  lose('tool_choice', 'approximated', 'the tools that the model must not call are not declared');
  return subset;
}

/** The names of the tools by the ids of their calls. */
export const readCallNames = (turns: readonly Turn[]): ReadonlyMap<string, string> =>
  new Map(
    turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-call' ? [[part.id, part.name] as const] : [])),
    ),
  );
