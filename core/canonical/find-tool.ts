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
