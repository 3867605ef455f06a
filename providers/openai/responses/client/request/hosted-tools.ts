import type { HostedTool, JsonObject } from '../../../../../core/api/index.ts';
import { isObject, lookUp, omitUndefined, readList, readObject, readText } from '../../../../../core/api/codec.ts';
import { readUses } from '../../../../../core/api/internal.ts';
import { describeClientTool } from '../../client-tools.ts';
import { DEFAULT_IMAGE_MODEL, MAX_IMAGE_TOKENS } from '../../tool-usage.ts';
import { SEARCH_TYPE } from '../../web-search.ts';
import { carriers } from './loaded-tools.ts';

type Facts = Pick<HostedTool, 'kind' | 'billed' | 'tokens'>;

const search: Facts = { kind: 'web_search', billed: 'webSearches' };

/**
 * The tools that run at the vendor, by their types; of xAI are `x_search`, `code_execution` and `collections_search`. A
 * container and a file search are billed, and responses do not report them.
 * https://platform.openai.com/docs/pricing#built-in-tools
 */
const byType: Readonly<Record<string, Facts>> = {
  x_search: search,
  file_search: { kind: 'file_search' },
  collections_search: { kind: 'file_search' },
  code_interpreter: { kind: 'code_execution' },
  code_execution: { kind: 'code_execution' },
  programmatic_tool_calling: { kind: 'code_execution' },
  shell: { kind: 'code_execution' },
  image_generation: { kind: 'image_generation', billed: 'model' },
  mcp: { kind: 'mcp', billed: 'tokens' },
  tool_search: { kind: 'tool_search', billed: 'tokens', tokens: { input: 0 } },
};

const own: ReadonlySet<string> = new Set(['', 'function', 'custom', 'namespace']);

/** The cap on the calls of all hosted tools of a response together. */
const CAP = 'max_tool_calls';

/** @param place empty: the tool is added within the conversation */
const readTool = (tool: unknown, place: HostedTool['place'], maxUses: number | undefined): readonly HostedTool[] => {
  if (!isObject(tool)) return [];
  const type = readText(tool['type']);
  if (own.has(type) || describeClientTool(type, tool) !== undefined) return [];
  const facts = SEARCH_TYPE.test(type) ? search : lookUp(byType, type);
  const isImage = type === 'image_generation';
  const model = isImage ? readText(tool['model']) : '';
  return [
    omitUndefined<HostedTool>({
      ...facts,
      type,
      name: readText(tool['name']) || undefined,
      place,
      ...(isImage ? { model: model || DEFAULT_IMAGE_MODEL, tokens: imageTokens(tool) } : {}),
      modelPlace: model !== '' && place.length > 0 ? [...place, 'model'] : undefined,
      maxUses,
      capPlace: [CAP],
    }),
  ];
};

/** A partial image has 100 tokens: https://platform.openai.com/docs/guides/image-generation#cost-and-latency */
const PARTIAL_TOKENS = 100;

const imageTokens = (tool: Readonly<JsonObject>): HostedTool['tokens'] => {
  const output = MAX_IMAGE_TOKENS + PARTIAL_TOKENS * (readUses(tool['partial_images']) ?? 0);
  return { output, outputImage: output };
};

const none: readonly HostedTool[] = [];

/** The tools of a request that run at the vendor: those of `tools`, and those that input items add. */
export function listHostedTools(body: unknown): readonly HostedTool[] {
  const { tools, input, [CAP]: cap } = readObject(body);
  if (tools === undefined && !Array.isArray(input)) return none;
  const maxUses = readUses(cap);
  const found = readList(tools).flatMap((tool, index) => readTool(tool, ['tools', index], maxUses));
  for (const item of readList(input)) {
    if (!isObject(item) || !carriers.has(readText(item['type']))) continue;
    for (const tool of readList(item['tools'])) found.push(...readTool(tool, [], maxUses));
  }
  return found.length === 0 ? none : found;
}
