import type { JsonObject, Tool, ToolChoice } from '../../../../../core/api/index.ts';
import { omitUndefined, readText } from '../../../../../core/api/codec.ts';
import { findTool } from '../../../../../core/api/internal.ts';
import { NAMESPACE_DESCRIPTION, readNamespaceDescription, readToolName } from '../../namespaces.ts';

import { isLoaded } from '../request/loaded-tools.ts';

const encodeTool = (tool: Tool): JsonObject => {
  if (tool.vendorType !== undefined) return { type: tool.vendorType, ...tool.vendor };
  const { [NAMESPACE_DESCRIPTION]: _description, ...vendor } = tool.vendor ?? {};
  const { description, schema, strict } = tool;
  const head = { type: tool.kind, name: readToolName(tool).name };
  if (tool.kind !== 'function') return { ...head, ...omitUndefined({ description }), ...vendor };
  const shape = { description: description ?? null, parameters: schema ?? null, strict: strict ?? null };
  return { ...head, ...shape, ...vendor };
};

interface Group {
  readonly namespace: string;
  readonly description: string;
  readonly tools: JsonObject[];
}

/** Groups neighbouring tools of one namespace. */
const groupTools = (tools: readonly Tool[]): readonly Group[] => {
  const groups: Group[] = [];
  for (const tool of tools) {
    const namespace = tool.kind === 'hosted' ? '' : readToolName(tool).namespace;
    const written = tool.kind === 'hosted' ? (tool.vendor ?? { type: tool.name }) : encodeTool(tool);
    const last = groups.at(-1);
    if (last?.namespace === namespace) last.tools.push(written);
    else groups.push({ namespace, description: readNamespaceDescription(tool), tools: [written] });
  }
  return groups;
};

/** The tools as the client declared them. */
export const echoTools = (tools: readonly Tool[]): readonly JsonObject[] =>
  groupTools(tools.filter((tool) => !isLoaded(tool))).flatMap(({ namespace, ...group }) =>
    namespace === '' ? group.tools : [{ type: 'namespace', name: namespace, ...group }],
  );

const nameTool = (tools: readonly Tool[], wanted: string): JsonObject => {
  const tool = findTool(tools, wanted);
  if (tool?.kind === 'hosted') return { type: readText(tool.vendor?.['type']) || wanted };
  if (tool === undefined) return { type: 'function', name: wanted };
  if (tool.vendorType !== undefined) return { type: tool.vendorType };
  const { name, namespace } = readToolName(tool);
  return { type: tool.kind, name, ...(namespace === '' ? {} : { namespace }) };
};

/** `tool_choice` as this wire writes it. The vendor's default is `auto`. */
export function echoToolChoice(choice: ToolChoice | undefined, tools: readonly Tool[]): string | JsonObject {
  if (choice?.only === undefined) return choice?.mode ?? 'auto';
  const named = choice.only.map((name) => nameTool(tools, name));
  const [first] = named;
  return first !== undefined && named.length === 1 && choice.mode === 'required'
    ? first
    : { type: 'allowed_tools', mode: choice.mode, tools: named };
}
