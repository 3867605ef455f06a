import type { GenerateRequest, Tool } from '../../../core/api/index.ts';
import { readText } from '../../../core/api/codec.ts';
import { findTool } from '../../../core/api/internal.ts';

/**
 * The flat name of a tool in a namespace, as other wires need it. The vendor puts a function that was loaded on its own
 * into a namespace with the function's name; such a function keeps the name it was declared with.
 * https://platform.openai.com/docs/guides/function-calling
 */
export const joinNamespace = (namespace: string, name: string): string =>
  namespace === '' || namespace === name ? name : `${namespace}__${name}`;

/** The member of `Tool.vendor` that keeps the description of the namespace. */
export const NAMESPACE_DESCRIPTION = 'namespace_description';

/** The namespace of a tool (empty for a tool outside any namespace) and its name there. */
export const readToolName = ({ name, namespace }: Tool): { readonly namespace: string; readonly name: string } =>
  namespace === undefined ? { namespace: '', name } : { namespace: namespace.name, name: namespace.tool };

export const readNamespaceDescription = ({ vendor }: Tool): string => readText(vendor?.[NAMESPACE_DESCRIPTION]);

/** The name and namespace of a called tool, as the client declared it. */
export function splitToolName(
  { tools }: GenerateRequest,
  called: string,
): { readonly name: string; readonly namespace?: string } {
  const tool = findTool(tools, called);
  const { namespace, name } =
    tool === undefined || tool.kind === 'hosted' ? { namespace: '', name: called } : readToolName(tool);
  return { name, ...(namespace === '' ? {} : { namespace }) };
}
