import { invalidRequest, type JsonObject, type Tool, type ToolChoice } from '../../../../../core/api/index.ts';
import { lookUp, omitUndefined, readMembers, type Members } from '../../../../../core/api/codec.ts';
import { readCacheMark } from '../../cache-mark.ts';

/** Tools without a type, or of type `custom`, are functions of the client. Dated types are the vendor's own. */
const decodeTool = (value: unknown, path: string): Tool => {
  const members = readMembers(value, path);
  const type = members.string('type');
  const mark = readCacheMark(members);
  if (type !== undefined && type !== 'custom') {
    return {
      name: members.string('name') ?? type,
      kind: 'hosted',
      vendor: { type, ...(members.has('name') ? { name: members.string('name') } : {}), ...members.unread() },
      ...mark,
    };
  }
  const name = members.requiredString('name');
  const description = members.string('description');
  const schema = members.rawObject('input_schema');
  const strict = members.boolean('strict');
  const vendor: JsonObject = members.unread();
  return omitUndefined({
    name,
    kind: 'function' as const,
    description,
    schema,
    strict,
    vendor: Object.keys(vendor).length === 0 ? undefined : vendor,
    ...mark,
  });
};

export const decodeTools = (body: Members): readonly Tool[] =>
  body.array('tools')?.map((tool, index) => decodeTool(tool, `tools[${index}]`)) ?? [];

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
