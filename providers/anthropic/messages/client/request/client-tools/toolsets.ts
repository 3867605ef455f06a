import type { JsonObject, Tool } from '../../../../../../core/api/index.ts';
import { lookUp, omitUndefined, readObject } from '../../../../../../core/api/codec.ts';
import { joinCallName } from '../../../call-name.ts';
import { browserMembers, computerMembers, type ToolsetMember } from './toolset-members.ts';

const toolsets: Readonly<Record<string, Readonly<Record<string, ToolsetMember>>>> = {
  computer_toolset_20260801: computerMembers,
  browser_toolset_20260801: browserMembers,
};

/**
 * The tools of a toolset that the client executes; `undefined` for every other type. The first one holds the definition
 * of the toolset, with which its own vendor gets it.
 */
export function expandToolset(
  type: string,
  vendor: JsonObject,
  common: Pick<Tool, 'cache'>,
): readonly Tool[] | undefined {
  const members = lookUp(toolsets, type);
  if (members === undefined) return undefined;
  const toolset = type.slice(0, type.indexOf('_'));
  const configs = readObject(vendor['configs']);
  return Object.entries(members).map(([tool, { description, schema, isOff }], index) => {
    const isOffered = readObject(configs[tool])['enabled'] ?? isOff !== true;
    return omitUndefined({
      name: joinCallName(tool, toolset),
      kind: 'function' as const,
      description,
      schema,
      namespace: { name: toolset, tool },
      vendorType: type,
      withheld: isOffered === true ? undefined : (true as const),
      ...(index === 0 ? { vendor, ...common } : { inline: true as const }),
    });
  });
}
