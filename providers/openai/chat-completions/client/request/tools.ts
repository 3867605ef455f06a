import type { HostedTool, JsonObject, Tool, ToolChoice } from '../../../../../core/api/index.ts';
import {
  isObject,
  lookUp,
  type Members,
  omitUndefined,
  readList,
  readMembers,
  readObject,
  readText,
} from '../../../../../core/api/codec.ts';
import { foldName, readUses } from '../../../../../core/api/internal.ts';
import { invalidMember, requiredObject } from '../../../request-members.ts';
import { SEARCH_OPTIONS } from '../../web-search.ts';
import { decodeCacheMark } from './parts.ts';

/** Members without a canonical member, as the wire has them: those of the function nested, the others flat. */
const vendorOf = (tool: Members, inner: string, members: Members): JsonObject | undefined => {
  const nested = members.unread();
  const vendor = { ...tool.unread(), ...(Object.keys(nested).length === 0 ? {} : { [inner]: nested }) };
  return Object.keys(vendor).length === 0 ? undefined : vendor;
};

/** What `tools` and the deprecated `functions` say of a function. */
const readFunction = (members: Members) =>
  ({
    kind: 'function',
    name: members.requiredString('name'),
    description: members.string('description'),
    schema: members.rawObject('parameters'),
  }) as const;

const decodeFunction = (tool: Members): Tool => {
  const members = requiredObject(tool, 'function');
  return omitUndefined({
    ...readFunction(members),
    strict: members.boolean('strict'),
    cache: decodeCacheMark(tool),
    vendor: vendorOf(tool, 'function', members),
  });
};

const decodeCustom = (tool: Members): Tool => {
  const members = requiredObject(tool, 'custom');
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

/** `tools`, and the deprecated `functions`. */
export function decodeTools(body: Members): { readonly tools: readonly Tool[]; readonly legacy: boolean } {
  const functions = body.array('functions') ?? [];
  const tools = body.array('tools') ?? [];
  return {
    tools: [
      ...tools.map((tool, index) => decodeTool(tool, `tools[${index}]`)),
      ...functions.map((tool, index) => omitUndefined<Tool>(readFunction(readMembers(tool, `functions[${index}]`)))),
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
    throw invalidMember(path, "must be 'auto', 'none', 'required' or an object that names a function.");
  return { mode };
};

const namedTool = (choice: Members, kind: string): string => requiredObject(choice, kind).requiredString('name');

const decodeAllowed = (choice: Members): ToolChoice => {
  const allowed = requiredObject(choice, 'allowed_tools');
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

type Facts = Pick<HostedTool, 'kind' | 'billed' | 'tokens' | 'name'>;

const search: Facts = { kind: 'web_search', billed: 'webSearches' };

/**
 * Tools of servers of this wire, by their types; those of OpenRouter without `openrouter:`. OpenAI has none here.
 * https://openrouter.ai/docs/features/tool-calling https://console.groq.com/docs/browser-search
 */
const byType: Readonly<Record<string, Facts>> = {
  web_search: search,
  web_search_preview: search,
  x_search: search,
  browser_search: search,
  $web_search: search,
  web_fetch: { kind: 'web_fetch', billed: 'webFetches' },
  code_interpreter: { kind: 'code_execution' },
  code_execution: { kind: 'code_execution' },
  file_search: { kind: 'file_search' },
  retrieval: { kind: 'file_search' },
  image_generation: { kind: 'image_generation', billed: 'images' },
  mcp: { kind: 'mcp', billed: 'tokens' },
  advisor: { kind: 'advisor', billed: 'model' },
};

const ownTypes: ReadonlySet<string> = new Set(['', 'function', 'custom']);
const PREFIX = 'openrouter:';

const readTool = (tool: unknown, index: number): readonly HostedTool[] => {
  if (!isObject(tool)) return [];
  const type = readText(tool['type']);
  if (ownTypes.has(type)) return [];
  // A tool of Moonshot has its name in the place of a function's.
  const word = type === 'builtin_function' ? readText(readObject(tool['function'])['name']) : type;
  const facts = lookUp(byType, word.startsWith(PREFIX) ? word.slice(PREFIX.length) : word);
  const place = ['tools', index] as const;
  const parameters = readObject(tool['parameters']);
  const model = facts?.billed === 'model' ? readText(parameters['model']) : '';
  const output = readUses(parameters['max_completion_tokens']);
  return [
    omitUndefined<HostedTool>({
      ...facts,
      type: word,
      name: type,
      place,
      ...(model === '' ? {} : { model, modelPlace: [...place, 'parameters', 'model'] }),
      maxUses: readUses(parameters['max_uses']),
      capPlace: type.startsWith(PREFIX) ? [...place, 'parameters', 'max_uses'] : undefined,
      tokens: output === undefined ? undefined : { output },
    }),
  ];
};

/** Members that let a server use tools, by their folded names. */
const options: Readonly<Record<string, (value: unknown) => readonly Facts[]>> = {
  // OpenAI, and servers that follow it.
  [foldName(SEARCH_OPTIONS)]: (value) => (isObject(value) ? [{ ...search, name: 'web_search' }] : []),
  // xAI: https://docs.x.ai/docs/guides/live-search
  searchparameters: (value) => (isObject(value) && value['mode'] !== 'off' ? [search] : []),
  // Alibaba Cloud: https://www.alibabacloud.com/help/en/model-studio/web-search
  enablesearch: (value) => (value === undefined || value === null || value === false ? [] : [search]),
  // OpenRouter: https://openrouter.ai/docs/features/web-search
  plugins: (value) => readList(value).map((plugin) => (readObject(plugin)['id'] === 'web' ? search : {})),
  // Groq: https://console.groq.com/docs/compound
  compoundcustom: (value) => (isObject(value) ? [{}] : []),
};

/** SDK users put members that the SDK does not have under this name, and some servers merge it into the body. */
const EXTRA = 'extrabody';

const listOptions = (members: Readonly<JsonObject>, prefix: HostedTool['place'], found: HostedTool[]): void => {
  for (const name of Object.keys(members)) {
    // Most names have none of the words, and are not folded.
    if (!/search|plugin|compound|extra|tools/i.test(name)) continue;
    const folded = foldName(name);
    const value = members[name];
    const place = [...prefix, name];
    for (const facts of lookUp(options, folded)?.(value) ?? []) found.push({ ...facts, type: name, place });
    if (prefix.length > 0 && folded === 'tools') found.push({ type: 'tools', place });
    if (prefix.length === 0 && folded === EXTRA && isObject(value)) listOptions(value, place, found);
  }
};

/** The tools of a request that run at the vendor: entries of `tools` with other types, and options of servers. */
export function listHostedTools(body: unknown): readonly HostedTool[] {
  if (!isObject(body)) return [];
  const found = readList(body['tools']).flatMap(readTool);
  listOptions(body, [], found);
  return found;
}
