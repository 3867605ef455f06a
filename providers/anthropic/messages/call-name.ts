import type { JsonObject, Tool } from '../../../core/api/index.ts';
import { findTool } from '../../../core/api/internal.ts';

const SEPARATOR = '__';

/** The name of a call among all tools: a tool of a toolset has the name of the toolset before its own. */
export const joinCallName = (name: string, toolset: unknown): string =>
  typeof toolset === 'string' ? toolset + SEPARATOR + name : name;

/** The members that name the tool of a call on this wire. */
export function splitCallName(name: string, tools: readonly Tool[]): JsonObject {
  if (!name.includes(SEPARATOR)) return { name };
  const { namespace, vendorType } = findTool(tools, name) ?? {};
  return namespace === undefined || vendorType === undefined
    ? { name }
    : { name: namespace.tool, toolset_name: namespace.name };
}
