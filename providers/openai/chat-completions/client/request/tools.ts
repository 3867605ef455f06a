import { invalidRequest, type JsonObject, type Tool, type ToolChoice } from '../../../../../core/api/index.ts';
import { isObject, lookUp, type Members, omitUndefined, readMembers } from '../../../../../core/api/codec.ts';

import { decodeCacheMark } from './parts.ts';

/** Members without a canonical member, as the wire has them: those of the function nested, the others flat. */
const vendorOf = (tool: Members, inner: string, members: Members): JsonObject | undefined => {
  const nested = members.unread();
  const vendor = { ...tool.unread(), ...(Object.keys(nested).length === 0 ? {} : { [inner]: nested }) };
  return Object.keys(vendor).length === 0 ? undefined : vendor;
};

const decodeFunction = (tool: Members): Tool => {
  const members = tool.object('function') ?? readMembers(undefined, tool.at('function'));
  return omitUndefined({
    kind: 'function',
    name: members.requiredString('name'),
    description: members.string('description'),
    schema: members.rawObject('parameters'),
    strict: members.boolean('strict'),
    cache: decodeCacheMark(tool),
    vendor: vendorOf(tool, 'function', members),
  });
};

const decodeCustom = (tool: Members): Tool => {
  const members = tool.object('custom') ?? readMembers(undefined, tool.at('custom'));
  return omitUndefined({
    kind: 'custom',
    name: members.requiredString('name'),
    description: members.string('description'),
    vendor: omitUndefined({ format: members.rawObject('format') }),
  });
};

/** Any type but a function or a custom tool is a hosted tool, which is kept whole. */
const decodeTool = (value: unknown, path: string): Tool => {
  const tool = readMembers(value, path);
  const type = tool.string('type') ?? 'function';
  if (type === 'function') return decodeFunction(tool);
  if (type === 'custom') return decodeCustom(tool);
  return { kind: 'hosted', name: type, vendor: isObject(value) ? value : {} };
};

const decodeLegacyFunction = (value: unknown, path: string): Tool => {
  const members = readMembers(value, path);
  return omitUndefined({
    kind: 'function',
    name: members.requiredString('name'),
    description: members.string('description'),
    schema: members.rawObject('parameters'),
  });
};

/** `tools`, and the deprecated `functions`. */
export function decodeTools(body: Members): { readonly tools: readonly Tool[]; readonly legacy: boolean } {
  const functions = body.array('functions') ?? [];
  const tools = body.array('tools') ?? [];
  return {
    tools: [
      ...tools.map((tool, index) => decodeTool(tool, `tools[${index}]`)),
      ...functions.map((tool, index) => decodeLegacyFunction(tool, `functions[${index}]`)),
    ],
    legacy: functions.length > 0 && tools.length === 0,
  };
}

/** Mistral writes `any` for `required`. */
const modes: Readonly<Record<string, ToolChoice['mode']>> = {
  auto: 'auto',
  none: 'none',
  required: 'required',
  any: 'required',
};

const decodeMode = (name: string, path: string): ToolChoice => {
  const mode = lookUp(modes, name);
  if (mode === undefined)
    throw invalidRequest(path, `'${path}' must be 'auto', 'none', 'required' or an object that names a function.`);
  return { mode };
};

const namedTool = (choice: Members, kind: string): string =>
  (choice.object(kind) ?? readMembers(undefined, choice.at(kind))).requiredString('name');

const decodeAllowed = (choice: Members): ToolChoice => {
  const allowed = choice.object('allowed_tools') ?? readMembers(undefined, choice.at('allowed_tools'));
  const { mode } = decodeMode(allowed.requiredString('mode'), allowed.at('mode'));
  const only = (allowed.array('tools') ?? []).map((value, index) => {
    const tool = readMembers(value, `${allowed.at('tools')}[${index}]`);
    return namedTool(tool, tool.string('type') ?? 'function');
  });
  return { mode, only };
};

const choices: Readonly<Record<string, (choice: Members) => ToolChoice>> = {
  function: (choice) => ({ mode: 'required', only: [namedTool(choice, 'function')] }),
  custom: (choice) => ({ mode: 'required', only: [namedTool(choice, 'custom')] }),
  allowed_tools: decodeAllowed,
};

const decodeChoiceObject = (choice: Members): ToolChoice => {
  // Compatible servers accept the function without the type.
  const type =
    choice.value('function') === undefined ? choice.requiredString('type') : (choice.string('type') ?? 'function');
  const decode = lookUp(choices, type);
  return decode === undefined ? decodeMode(type, choice.at('type')) : decode(choice);
};

/** `tool_choice`, and the deprecated `function_call`. */
export function decodeToolChoice(body: Members): ToolChoice | undefined {
  const choice = body.value('tool_choice');
  if (typeof choice === 'string') return decodeMode(choice, 'tool_choice');
  if (choice !== undefined) return decodeChoiceObject(readMembers(choice, 'tool_choice'));
  const legacy = body.value('function_call');
  if (typeof legacy === 'string') return decodeMode(legacy, 'function_call');
  return legacy === undefined
    ? undefined
    : { mode: 'required', only: [readMembers(legacy, 'function_call').requiredString('name')] };
}
