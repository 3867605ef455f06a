import { invalidRequest, lookUp, readMembers, type Members, type ToolChoice } from '../../../../../core/index.ts';
import { joinNamespace } from '../../namespaces.ts';

const modes: Readonly<Record<string, ToolChoice['mode']>> = { auto: 'auto', none: 'none', required: 'required' };

const decodeMode = (word: string, path: string): ToolChoice => {
  const mode = lookUp(modes, word);
  if (mode === undefined)
    throw invalidRequest(path, `'${path}' must be 'auto', 'none', 'required' or an object that names a tool.`);
  return { mode };
};

/** A tool by its name; tools that run at the vendor have none and go by their type. */
const readName = (choice: Members): string => {
  const type = choice.requiredString('type');
  const named = type === 'function' || type === 'custom';
  const name = named ? choice.requiredString('name') : (choice.string('name') ?? type);
  return joinNamespace(choice.string('namespace') ?? '', name);
};

const decodeAllowed = (choice: Members): ToolChoice => {
  const tools = choice.array('tools');
  if (tools === undefined)
    throw invalidRequest(choice.at('tools'), `'${choice.at('tools')}' is required: the tools that may be called.`);
  const only = tools.map((value, index) => readName(readMembers(value, `${choice.at('tools')}[${index}]`)));
  return { ...decodeMode(choice.requiredString('mode'), choice.at('mode')), only };
};

/** `tool_choice`: a word, a tool, or several of them. */
export function decodeToolChoice(body: Members): ToolChoice | undefined {
  const found = body.value('tool_choice');
  if (found === undefined) return undefined;
  if (typeof found === 'string') return decodeMode(found, 'tool_choice');
  const choice = readMembers(found, 'tool_choice');
  if (choice.requiredString('type') === 'allowed_tools') return decodeAllowed(choice);
  return { mode: 'required', only: [readName(choice)] };
}
