import type { GenerateRequest, JsonObject, Tool, ToolChoice } from '../../../../../core/api/index.ts';
import { isObject, type Lose, omitUndefined, readText } from '../../../../../core/api/codec.ts';
import { findTool } from '../../../../../core/api/internal.ts';
import { isLoaded } from '../../client/request/loaded-tools.ts';
import { NAMESPACE_DESCRIPTION, readNamespaceDescription, readToolName } from '../../namespaces.ts';
import { WIRE } from '../../shape.ts';
import { writeWebSearch } from '../../web-search.ts';

/** A grammar is flat on this wire; on chat completions it is nested. */
const encodeFormat = (format: unknown): unknown =>
  isObject(format) && isObject(format['grammar']) ? { type: 'grammar', ...format['grammar'] } : format;

/** Members without a canonical member: written for a client of this wire, else reported as lost. */
const vendorOf = ({ vendor = {} }: Tool, path: string, wire: string, lose: Lose): Readonly<JsonObject> => {
  const { [NAMESPACE_DESCRIPTION]: _description, ...members } = vendor;
  if (wire === WIRE) return members;
  for (const member of Object.keys(members)) lose(`${path}.${member}`, 'dropped', 'responses has no such member');
  return {};
};

type EncodeTool = (tool: Tool, path: string, wire: string, lose: Lose) => JsonObject | undefined;
const encodeFunction: EncodeTool = (tool, path, wire, lose) => ({
  ...omitUndefined({ type: 'function', name: readToolName(tool).name, description: tool.description }),
  parameters: tool.schema ?? { type: 'object', properties: {} },
  // The vendor takes a missing `strict` as true, which only a client of this wire can mean.
  ...omitUndefined({ strict: wire === WIRE ? tool.strict : tool.strict === true }),
  ...vendorOf(tool, path, wire, lose),
});

const encoders: Readonly<Record<Tool['kind'], EncodeTool>> = {
  function: (tool, path, wire, lose) =>
    tool.vendorType !== undefined && wire === WIRE
      ? { type: tool.vendorType, ...tool.vendor }
      : encodeFunction(tool, path, wire, lose),
  custom: (tool, path, wire, lose) => {
    const { format, ...vendor } = tool.vendor ?? {};
    const written = {
      type: 'custom',
      name: readToolName(tool).name,
      description: tool.description,
      format: encodeFormat(format),
    };
    return omitUndefined({ ...written, ...vendorOf({ ...tool, vendor }, path, wire, lose) });
  },
  hosted: (tool, path, wire, lose) => {
    if (wire === WIRE) return { ...tool.vendor };
    if (tool.webSearch !== undefined) return writeWebSearch(tool.webSearch, path, lose);
    lose(path, 'dropped', `the hosted tool '${tool.name}' runs only at its own vendor`);
    return undefined;
  },
};

/** Neighbouring tools of one namespace are written in it again. */
const encodeDefinitions = ({ tools, wire }: GenerateRequest, lose: Lose): readonly JsonObject[] => {
  const written: JsonObject[] = [];
  let open: { readonly namespace: string; readonly inner: JsonObject[] } | undefined;
  tools.forEach((tool, index) => {
    const path = `tools[${index}]`;
    if (isLoaded(tool)) return;
    const { namespace } = readToolName(tool);
    const encoded = encoders[tool.kind](tool, path, wire, lose);
    if (tool.cache !== undefined) lose(`${path}.cache`, 'dropped', 'responses has cache marks on content only');
    if (encoded === undefined) return;
    if (namespace === '') {
      open = undefined;
      written.push(encoded);
    } else if (open?.namespace === namespace) open.inner.push(encoded);
    else {
      open = { namespace, inner: [encoded] };
      written.push({
        type: 'namespace',
        name: namespace,
        description: readNamespaceDescription(tool),
        tools: open.inner,
      });
    }
  });
  return written;
};

/** A hosted tool is chosen by its type. */
const nameTool = (name: string, tools: readonly Tool[]): JsonObject => {
  const tool = findTool(tools, name);
  if (tool === undefined) return { type: 'function', name };
  if (tool.kind === 'hosted')
    return {
      ...omitUndefined({ server_label: tool.vendor?.['server_label'] }),
      type: readText(tool.vendor?.['type']) || name,
    };
  if (tool.vendorType !== undefined) return { type: tool.vendorType };
  const { name: own, namespace } = readToolName(tool);
  return { type: tool.kind, name: own, ...(namespace === '' ? {} : { namespace }) };
};

const encodeChoice = ({ mode, only }: ToolChoice, tools: readonly Tool[]): unknown => {
  if (only === undefined || mode === 'none') return mode;
  const [first, ...others] = only;
  if (mode === 'required' && first !== undefined && others.length === 0) {
    const tool = findTool(tools, first);
    // The types of the SDK do not list the search among the tools that can be forced by their types.
    if (tool?.webSearch === undefined || tool.vendor !== undefined) return nameTool(first, tools);
    if (tools.length === 1) return mode;
  }
  return { type: 'allowed_tools', mode, tools: only.map((name) => nameTool(name, tools)) };
};

/** Tools, choice and parallel flag. OpenAI refuses the last two without tools. */
export function encodeTools(request: GenerateRequest, lose: Lose): JsonObject {
  const { tools, toolChoice, parallelTools, wire } = request;
  const written = encodeDefinitions(request, lose);
  if (written.length > 0 || wire === WIRE) {
    const choice = toolChoice === undefined ? undefined : encodeChoice(toolChoice, tools);
    return omitUndefined({
      tools: written.length > 0 ? written : undefined,
      tool_choice: choice,
      parallel_tool_calls: parallelTools,
      // Counts hosted tools only, and a search is the only one of another wire.
      max_tool_calls: wire === WIRE ? undefined : tools.find(({ webSearch }) => webSearch)?.webSearch?.maxUses,
    });
  }
  if (toolChoice !== undefined) lose('tool_choice', 'dropped', 'there are no tools to choose from');
  if (parallelTools !== undefined) lose('parallel_tool_calls', 'dropped', 'there are no tools to call');
  return {};
}
