import { invalidRequest, type Tool, type ToolChoice } from '../../../../../core/api/index.ts';
import { lookUp, omitUndefined, readMembers, type Members } from '../../../../../core/api/codec.ts';
import { readCacheMark } from '../../cache-mark.ts';
import { describeClientTool } from './client-tools/tools.ts';
import { expandToolset } from './client-tools/toolsets.ts';
import { readWebSearch } from '../../web-search.ts';

/** The members that a tool can have whatever its type. */
const readCommon = (members: Members): Pick<Tool, 'strict' | 'deferred' | 'cache'> =>
  omitUndefined({
    strict: members.boolean('strict'),
    deferred: members.boolean('defer_loading') === true ? (true as const) : undefined,
    ...readCacheMark(members),
  });

/** What the vendor defines: functions if the client executes them, otherwise a hosted tool. */
const decodeVendorTool = (type: string, members: Members): readonly Tool[] => {
  const name = members.string('name');
  const common = readCommon(members);
  const vendor = members.unread();
  const described = describeClientTool(type, vendor);
  if (described !== undefined)
    return [{ name: name ?? type, kind: 'function', ...described, ...common, vendorType: type, vendor }];
  const { strict, ...others } = common;
  const hosted: Tool = {
    name: name ?? type,
    kind: 'hosted',
    vendor: omitUndefined({ type, name, strict, ...vendor }),
    ...readWebSearch(type, vendor),
    ...others,
  };
  return expandToolset(type, vendor, common) ?? [hosted];
};

/** Tools without a type, or of type `custom`, are functions of the client. Dated types are the vendor's own. */
export function decodeTool(value: unknown, path: string): readonly Tool[] {
  const members = readMembers(value, path);
  const type = members.string('type');
  if (type !== undefined && type !== 'custom') return decodeVendorTool(type, members);
  const known = {
    name: members.requiredString('name'),
    kind: 'function' as const,
    description: members.string('description'),
    schema: members.rawObject('input_schema'),
    ...readCommon(members),
  };
  const vendor = members.unread();
  return [omitUndefined({ ...known, vendor: Object.keys(vendor).length === 0 ? undefined : vendor })];
}

export const decodeTools = (body: Members): readonly Tool[] =>
  body.array('tools')?.flatMap((tool, index) => decodeTool(tool, `tools[${index}]`)) ?? [];

const choices: Readonly<Record<string, (choice: Members) => ToolChoice>> = {
  auto: () => ({ mode: 'auto' }),
  any: () => ({ mode: 'required' }),
  none: () => ({ mode: 'none' }),
  tool: (choice) => ({ mode: 'required', only: [choice.requiredString('name')] }),
};

/** `disable_parallel_tool_use: false` is the default. */
export function decodeToolChoice(body: Members): {
  readonly toolChoice?: ToolChoice;
  readonly parallelTools?: boolean;
} {
  const choice = body.object('tool_choice');
  if (choice === undefined) return {};
  const type = choice.requiredString('type');
  const decode = lookUp(choices, type);
  if (decode === undefined)
    throw invalidRequest(choice.at('type'), `'${choice.at('type')}' must be one of 'auto', 'any', 'tool', 'none'.`);
  const toolChoice = decode(choice);
  return { toolChoice, ...(choice.boolean('disable_parallel_tool_use') === true ? { parallelTools: false } : {}) };
}
