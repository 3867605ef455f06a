import { invalidRequest, type Tool, type ToolChoice } from '../../../../../core/api/index.ts';
import { isObject, lookUp, type Members, omitUndefined, readMembers } from '../../../../../core/api/codec.ts';
import { readJsonSchema } from '../../../generate-content/schema-dialect.ts';
import { readWebSearch } from '../../web-search.ts';

const decodeFunction = (tool: Members): Tool => {
  const name = tool.requiredString('name');
  const description = tool.string('description');
  const schema = tool.rawObject('parameters');
  const vendor = tool.unread();
  return omitUndefined({
    name,
    kind: 'function',
    description,
    schema: schema === undefined ? undefined : readJsonSchema(schema),
    vendor: Object.keys(vendor).length === 0 ? undefined : vendor,
  });
};

/** Any type but a function runs at the vendor, and is kept whole. */
const decodeTool = (value: unknown, path: string): Tool => {
  const tool = readMembers(value, path);
  const type = tool.requiredString('type');
  if (type === 'function') return decodeFunction(tool);
  const vendor = isObject(value) ? value : {};
  return { kind: 'hosted', name: tool.string('name') ?? type, vendor, ...readWebSearch(vendor) };
};

/** https://ai.google.dev/api/interactions-api */
export const decodeTools = (body: Members): readonly Tool[] =>
  (body.array('tools') ?? []).map((tool, index) => decodeTool(tool, `${body.at('tools')}[${index}]`));

/** `validated` is `auto` with arguments that match the schema. No other wire has it. */
const modes: Readonly<Record<string, ToolChoice['mode']>> = {
  auto: 'auto',
  validated: 'auto',
  any: 'required',
  none: 'none',
};

const decodeMode = (word: string, path: string): ToolChoice['mode'] => {
  const mode = lookUp(modes, word);
  if (mode === undefined) throw invalidRequest(path, `'${path}' must be one of 'auto', 'any', 'none', 'validated'.`);
  return mode;
};

/** `tool_choice` of `generation_config`: a mode, or the tools that may be called. */
export function decodeToolChoice(config: Members): {
  readonly toolChoice?: ToolChoice;
  /** The word for a mode that no other wire has. */
  readonly kept?: string;
} {
  const found = config.value('tool_choice');
  if (found === undefined) return {};
  if (typeof found === 'string')
    return {
      toolChoice: { mode: decodeMode(found, config.at('tool_choice')) },
      ...(found === 'validated' ? { kept: found } : {}),
    };
  const allowed = config.object('tool_choice')?.object('allowed_tools');
  if (allowed === undefined) return {};
  const mode = decodeMode(allowed.string('mode') ?? 'auto', allowed.at('mode'));
  const only = allowed.strings('tools') ?? [];
  return { toolChoice: { mode, ...(only.length === 0 ? {} : { only }) } };
}
