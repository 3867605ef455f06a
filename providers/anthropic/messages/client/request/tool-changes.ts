import type { JsonObject, Tool } from '../../../../../core/api/index.ts';
import { isObject, readObjects, readText } from '../../../../../core/api/codec.ts';
import { decodeTool } from './tools.ts';

/**
 * A block of the conversation that changes which tools the model is offered from there on.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
 */
export interface ToolChange {
  readonly type: 'found' | 'added' | 'removed';
  /** See {@link keyOf}. */
  readonly key: string;
  /** What the block defines, if it does. */
  readonly tools?: readonly Tool[];
}

const SERVER = 'mcp_toolset ';

/** A toolset of an MCP server has no name of its own. Any other toolset is one, however many tools it has. */
const keyOf = ({ name, vendor, namespace }: Tool): string =>
  vendor?.['type'] === 'mcp_toolset' ? SERVER + readText(vendor['mcp_server_name']) : (namespace?.name ?? name);

/**
 * The change of a `tool_addition` or `tool_removal`; `undefined` if it names one tool of an MCP server, which runs at
 * the vendor.
 */
export function readToolChange({ type, tool }: JsonObject, path: string): ToolChange | undefined {
  if (!isObject(tool)) return undefined;
  const change = type === 'tool_addition' ? 'added' : 'removed';
  if (tool['type'] === 'tool_reference') return { type: change, key: readText(tool['name']) };
  if (tool['type'] === 'mcp_toolset_reference') return { type: change, key: SERVER + readText(tool['server_name']) };
  if (tool['type'] !== 'tool_definition') return undefined;
  const tools = decodeTool(tool['definition'], `${path}.tool.definition`);
  const [first] = tools;
  return first === undefined ? undefined : { type: change, key: keyOf(first), tools };
}

/** The changes of a block that holds a list of them: `compaction`, or the result of a search at the vendor. */
export const readChangeList = ({ tool_changes: changes, content }: JsonObject, path: string): readonly ToolChange[] => [
  ...readObjects(changes).flatMap((entry, index) => readToolChange(entry, `${path}.tool_changes[${index}]`) ?? []),
  ...readObjects(isObject(content) ? content['tool_references'] : undefined).map((reference) => ({
    type: 'found' as const,
    key: readText(reference['tool_name']),
  })),
];

/** What a model of another vendor reads in place of the block. */
export const describeToolChange = ({ type, key }: ToolChange): string =>
  type === 'added' ? `The tool ${key} is available from here on.` : `The tool ${key} is no longer available.`;

const isSearch = ({ kind, vendor }: Tool): boolean =>
  kind === 'hosted' && readText(vendor?.['type']).startsWith('tool_search_tool');

/**
 * Whether a tool of the client can find deferred tools. If the search runs at the vendor, or there is none, no other
 * target could find them: there they are offered from the start.
 */
const canClientSearch = (tools: readonly Tool[]): boolean =>
  !tools.some(isSearch) && tools.some(({ kind, deferred }) => kind === 'function' && deferred !== true);

/**
 * The declared tools and those that the conversation defines, with a mark on those that are not offered at its end. A
 * removed tool is offered again only if it is added, not if a search finds it.
 */
export function applyToolChanges(declared: readonly Tool[], changes: readonly ToolChange[]): readonly Tool[] {
  const offered = new Map<string, boolean>();
  const inline = new Map<string, readonly Tool[]>();
  for (const { type, key, tools } of changes) {
    if (type !== 'found') offered.set(key, type === 'added');
    else if (!offered.has(key)) offered.set(key, true);
    if (tools !== undefined) inline.set(key, tools);
  }
  const areDeferredHidden = canClientSearch(declared);
  const isWithheld = (tool: Tool, key: string): boolean =>
    inline.has(key) || !(offered.get(key) ?? !(areDeferredHidden && tool.deferred === true));
  return [
    ...declared.map((tool) => (isWithheld(tool, keyOf(tool)) ? { ...tool, withheld: true as const } : tool)),
    ...[...inline].flatMap(([key, tools]) =>
      offered.get(key) === true ? tools.map((tool) => ({ ...tool, inline: true as const })) : [],
    ),
  ];
}
