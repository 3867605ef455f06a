import {
  invalidRequest,
  type GenerateRequest,
  type HostedTool,
  type JsonObject,
  type Tool,
  type ToolChoice,
} from '../../../../../core/api/index.ts';
import {
  isObject,
  lookUp,
  omitUndefined,
  readList,
  readMembers,
  readObject,
  readText,
  type Members,
} from '../../../../../core/api/codec.ts';
import { readUses } from '../../../../../core/api/internal.ts';
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

type Facts = Pick<HostedTool, 'kind' | 'billed'> & Partial<Pick<HostedTool, 'tokens'>>;

/** The first date of a version: `web_search_20250305`. */
const DATE = /_\d{8}$/;

/**
 * The tools that run at the vendor, by their types without the date.
 * https://platform.claude.com/docs/en/about-claude/pricing#tool-use-pricing
 */
const byType: Readonly<Record<string, Facts>> = {
  web_search: { kind: 'web_search', billed: 'webSearches' },
  // Costs the tokens of the page only.
  web_fetch: { kind: 'web_fetch', billed: 'tokens' },
  // Billed by the time of a container, which responses do not report.
  code_execution: { kind: 'code_execution' },
  advisor: { kind: 'advisor', billed: 'model' },
  tool_search_tool_regex: { kind: 'tool_search', billed: 'tokens', tokens: { input: 0 } },
  tool_search_tool_bm25: { kind: 'tool_search', billed: 'tokens', tokens: { input: 0 } },
  mcp_toolset: { kind: 'mcp', billed: 'tokens' },
};

/** The tools whose uses a request can cap. */
const capped: ReadonlySet<string> = new Set(['web_search', 'web_fetch', 'advisor']);

/** Tokens of one use that the definition caps. */
const readTokens = (base: string, tool: Readonly<JsonObject>): HostedTool['tokens'] => {
  if (base === 'advisor') {
    const output = readUses(tool['max_tokens']);
    return output === undefined ? undefined : { output };
  }
  const input = base === 'web_fetch' ? readUses(tool['max_content_tokens']) : undefined;
  return input === undefined ? byType[base]?.tokens : { input };
};

/** @param place empty: the tool is defined within the conversation */
const readTool = (tool: unknown, place: HostedTool['place']): readonly HostedTool[] => {
  if (!isObject(tool)) return [];
  const type = readText(tool['type']);
  if (type === '' || type === 'custom') return [];
  const base = type.replace(DATE, '');
  const facts = lookUp(byType, base);
  if (facts === undefined && (describeClientTool(type, tool) ?? expandToolset(type, tool, {})) !== undefined) return [];
  const model = base === 'advisor' ? readText(tool['model']) : undefined;
  const isPlaced = place.length > 0;
  return [
    omitUndefined<HostedTool>({
      ...facts,
      type,
      name: readText(tool['name']) || undefined,
      place,
      model,
      modelPlace: model !== undefined && isPlaced ? [...place, 'model'] : undefined,
      maxUses: capped.has(base) ? readUses(tool['max_uses']) : undefined,
      capPlace: capped.has(base) && isPlaced ? [...place, 'max_uses'] : undefined,
      tokens: readTokens(base, tool),
    }),
  ];
};

const isInline = ({ kind, inline }: GenerateRequest['tools'][number]): boolean => kind === 'hosted' && inline === true;

const none: readonly HostedTool[] = [];

/**
 * The tools of a request that run at the vendor: those of `tools`, servers of MCP, the container of skills, and tools
 * that the conversation defines.
 */
export function listHostedTools(body: unknown, { tools }: GenerateRequest): readonly HostedTool[] {
  const { tools: declared, mcp_servers: servers, container } = readObject(body);
  if (declared === undefined && servers === undefined && container === undefined && tools.length === 0) return none;
  const found = readList(declared).flatMap((tool, index) => readTool(tool, ['tools', index]));
  if (readList(servers).length > 0)
    found.push({ kind: 'mcp', type: 'mcp_servers', place: ['mcp_servers'], billed: 'tokens' });
  if (isObject(container) || readText(container) !== '')
    found.push({ kind: 'code_execution', type: 'container', place: ['container'] });
  for (const tool of tools) if (isInline(tool)) found.push(...readTool(tool.vendor, []));
  return found;
}
