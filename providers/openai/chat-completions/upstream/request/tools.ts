import type { GenerateRequest, JsonObject, Tool, ToolChoice } from '../../../../../core/api/index.ts';
import { isObject, type Lose, omitUndefined, readObject } from '../../../../../core/api/codec.ts';
import { findTool } from '../../../../../core/api/internal.ts';
import { WIRE } from '../../shape.ts';
import { encodeCacheControl } from './parts.ts';
import { encodeSearch } from '../../web-search.ts';

/** A grammar is nested on this wire; on responses it is flat. */
const encodeFormat = (format: unknown): unknown => {
  if (!isObject(format) || format['type'] !== 'grammar' || isObject(format['grammar'])) return format;
  const { syntax, definition } = format;
  return { type: 'grammar', grammar: { syntax, definition } };
};

/** Members without a canonical member: written for a client of this wire, else reported as lost. */
const vendorOf = (tool: Tool, path: string, wire: string, lose: Lose): Readonly<JsonObject> => {
  if (wire === WIRE) return tool.vendor ?? {};
  for (const member of Object.keys(tool.vendor ?? {}))
    lose(`${path}.${member}`, 'dropped', 'chat-completions has no such member');
  return {};
};

/** OpenAI's breakpoints are not for tools. `cache_control` is: a fit has left it only where the target takes it. */
const cacheOf = ({ cache }: Tool, path: string, lose: Lose): JsonObject => {
  if (cache === undefined) return {};
  const control = encodeCacheControl(cache);
  if (control !== undefined) return control;
  lose(`${path}.cache`, 'dropped', 'chat-completions has no cache mark on tools');
  return {};
};

type EncodeTool = (tool: Tool, path: string, wire: string, lose: Lose) => JsonObject | undefined;
const encoders: Readonly<Record<Tool['kind'], EncodeTool>> = {
  function: (tool, path, wire, lose) => {
    const { function: inner, ...outer } = vendorOf(tool, path, wire, lose);
    const { name, description, schema, strict } = tool;
    return {
      type: 'function',
      function: omitUndefined({ name, description, parameters: schema, strict, ...readObject(inner) }),
      ...outer,
      ...cacheOf(tool, path, lose),
    };
  },
  custom: ({ name, description, vendor, ...tool }, path, wire, lose) => {
    const { format, ...others } = vendor ?? {};
    return {
      type: 'custom',
      custom: omitUndefined({ name, description, format: encodeFormat(format) }),
      ...vendorOf({ ...tool, name, vendor: others }, path, wire, lose),
    };
  },
  hosted: (tool, path, wire, lose) => {
    // An option is not in the list of tools: it is among the extra members, or written from the request.
    if (tool.option !== undefined || tool.webSearch !== undefined)
      return wire === WIRE && tool.option === undefined ? { ...tool.vendor } : undefined;
    if (wire === WIRE) return { ...tool.vendor };
    lose(path, 'dropped', `the hosted tool '${tool.name}' runs only at its own vendor`);
    return undefined;
  },
};

const nameTool = (name: string, tools: readonly Tool[]): JsonObject => {
  const kind = findTool(tools, name)?.kind === 'custom' ? 'custom' : 'function';
  return { type: kind, [kind]: { name } };
};

const encodeChoice = ({ mode, only }: ToolChoice, tools: readonly Tool[]): unknown => {
  if (only === undefined || mode === 'none') return mode;
  const [first, ...others] = only;
  if (mode === 'required' && first !== undefined && others.length === 0) return nameTool(first, tools);
  return { type: 'allowed_tools', allowed_tools: { mode, tools: only.map((name) => nameTool(name, tools)) } };
};

/** Tools, choice and parallel flag. OpenAI refuses the last two without tools. */
export function encodeTools({ tools, toolChoice, parallelTools, wire }: GenerateRequest, lose: Lose): JsonObject {
  const written = tools.flatMap((tool, index) => encoders[tool.kind](tool, `tools[${index}]`, wire, lose) ?? []);
  // A search is no tool of this wire, so it is not among those that were written.
  const search = wire === WIRE || written.length === tools.length ? {} : encodeSearch(tools, lose);
  if (written.length > 0) {
    return omitUndefined({
      ...search,
      tools: written,
      tool_choice: toolChoice === undefined ? undefined : encodeChoice(toolChoice, tools),
      parallel_tool_calls: parallelTools,
    });
  }
  if (toolChoice?.mode === 'required' && 'web_search_options' in search)
    lose('tool_choice', 'approximated', 'chat-completions cannot require a search');
  else if (toolChoice !== undefined) lose('tool_choice', 'dropped', 'there are no tools to choose from');
  if (parallelTools !== undefined) lose('parallel_tool_calls', 'dropped', 'there are no tools to call');
  return search;
}
