import type { HostedTool, JsonObject } from '../../../../../core/api/index.ts';
import { isObject, lookUp, omitUndefined, readList, readObject, readText } from '../../../../../core/api/codec.ts';
import { foldName, readUses } from '../../../../../core/api/internal.ts';
import { SEARCH_OPTIONS } from '../../web-search.ts';

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

const own: ReadonlySet<string> = new Set(['', 'function', 'custom']);
const PREFIX = 'openrouter:';

const readTool = (tool: unknown, index: number): readonly HostedTool[] => {
  if (!isObject(tool)) return [];
  const type = readText(tool['type']);
  if (own.has(type)) return [];
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
