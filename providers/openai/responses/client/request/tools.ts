import type { Tool, ToolChoice } from '../../../../../core/api/index.ts';
import { isObject, lookUp, type Members, omitUndefined, readMembers } from '../../../../../core/api/codec.ts';
import { invalidMember } from '../../../request-members.ts';
import { decodeCacheMark } from '../../../chat-completions/client/request/parts.ts';
import { describeClientTool, findClientTool } from '../../client-tools.ts';
import { readWebSearch, SEARCH_TYPE } from '../../web-search.ts';
import { NAMESPACE_DESCRIPTION, joinNamespace } from '../../namespaces.ts';

/** A function, or a custom tool with its `format`. Their members are flat on this wire. */
const decodeOwn = (tool: Members, kind: 'function' | 'custom', namespace = ''): Tool => {
  const name = tool.requiredString('name');
  const known = {
    name: joinNamespace(namespace, name),
    kind,
    description: tool.string('description'),
    schema: kind === 'function' ? tool.rawObject('parameters') : undefined,
    strict: kind === 'function' ? tool.boolean('strict') : undefined,
    cache: decodeCacheMark(tool),
    namespace: namespace === '' ? undefined : { name: namespace, tool: name },
  };
  const vendor = tool.unread();
  return omitUndefined({ ...known, vendor: Object.keys(vendor).length === 0 ? undefined : vendor });
};

const isOwn = (type: string): type is 'function' | 'custom' => type === 'function' || type === 'custom';

/**
 * The tools of a namespace, under flat names. The description of the namespace is kept on the first tool, so that its
 * loss on another wire is reported once.
 */
const decodeNamespace = (tool: Members): readonly Tool[] => {
  const name = tool.requiredString('name');
  const about = tool.string('description') ?? '';
  return (tool.array('tools') ?? []).map((value, index) => {
    const inner = readMembers(value, `${tool.at('tools')}[${index}]`);
    const type = inner.string('type') ?? 'function';
    const own = decodeOwn(inner, isOwn(type) ? type : 'function', name);
    return index > 0 || about === '' ? own : { ...own, vendor: { ...own.vendor, [NAMESPACE_DESCRIPTION]: about } };
  });
};

/**
 * Any other type is a function if the client executes the tool, else a hosted tool. Both are kept whole.
 */
const decodeTool = (value: unknown, path: string): readonly Tool[] => {
  const tool = readMembers(value, path);
  const type = tool.requiredString('type');
  if (isOwn(type)) return [decodeOwn(tool, type)];
  if (type === 'namespace') return decodeNamespace(tool);
  const executed = isObject(value) ? describeClientTool(type, value) : undefined;
  if (executed !== undefined) return [executed];
  const hosted: Tool = { kind: 'hosted', name: tool.string('name') ?? type, vendor: isObject(value) ? value : {} };
  const webSearch = SEARCH_TYPE.test(type) && isObject(value) ? readWebSearch(value) : undefined;
  return [webSearch === undefined ? hosted : { ...hosted, webSearch }];
};

export const decodeTools = (body: Members): readonly Tool[] =>
  (body.array('tools') ?? []).flatMap((tool, index) => decodeTool(tool, `${body.at('tools')}[${index}]`));

const modes: Readonly<Record<string, ToolChoice['mode']>> = { auto: 'auto', none: 'none', required: 'required' };

const decodeMode = (word: string, path: string): ToolChoice => {
  const mode = lookUp(modes, word);
  if (mode === undefined)
    throw invalidMember(path, "must be 'auto', 'none', 'required' or an object that names a tool.");
  return { mode };
};

/** The name of a chosen tool. A hosted tool has none and is chosen by its type. */
const readName = (choice: Members): string => {
  const type = choice.requiredString('type');
  const name = isOwn(type)
    ? choice.requiredString('name')
    : (choice.string('name') ?? findClientTool(type)?.name ?? type);
  return joinNamespace(choice.string('namespace') ?? '', name);
};

const decodeAllowed = (choice: Members): ToolChoice => {
  const tools = choice.array('tools');
  if (tools === undefined) throw invalidMember(choice.at('tools'), 'is required: the tools that may be called.');
  const only = tools.map((value, index) => readName(readMembers(value, `${choice.at('tools')}[${index}]`)));
  return { ...decodeMode(choice.requiredString('mode'), choice.at('mode')), only };
};

/** `tool_choice`: a mode, a tool, or several tools. */
export function decodeToolChoice(body: Members): ToolChoice | undefined {
  const found = body.value('tool_choice');
  if (found === undefined) return undefined;
  if (typeof found === 'string') return decodeMode(found, 'tool_choice');
  const choice = readMembers(found, 'tool_choice');
  if (choice.requiredString('type') === 'allowed_tools') return decodeAllowed(choice);
  return { mode: 'required', only: [readName(choice)] };
}
