import type { GenerateRequest } from '../../canonical/request.ts';
import type { Tool, ToolChoice } from '../../canonical/tool.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { unsupportedParameter } from '../support/unsupported.ts';

const describeTool = ({ vendor, name }: Tool): string => (typeof vendor?.['type'] === 'string' ? vendor['type'] : name);
const describeTools = (tools: readonly Tool[]): string =>
  [...new Set(tools.map((tool) => `'${describeTool(tool)}'`))].join(', ');

const isHosted = ({ kind }: Tool): boolean => kind === 'hosted';

/** The name of a web search, whatever the client calls it. */
const SEARCH = 'web_search';

/** Whether the vendor of the target can carry out this search of another wire. */
const isSearchable = (
  { webSearch, option }: Tool,
  { tools }: GenerateRequest,
  { capabilities }: TargetProfile,
): boolean => {
  if (webSearch === undefined || (capabilities.webSearch ?? false) === false) return false;
  // A function with the same name cannot be distinguished from the search.
  const others = tools.filter((tool) => !isHosted(tool));
  if (option === undefined && others.some(({ name }) => name === SEARCH)) return false;
  return capabilities.webSearch === true || others.length === 0;
};

/** Why the target does not have the tools. */
const explain = (tools: readonly Tool[], { wire }: GenerateRequest, { capabilities }: TargetProfile): string => {
  const isCombined = capabilities.webSearch === 'without-tools' && tools.every(({ webSearch }) => webSearch);
  if (isCombined) return `${describeTools(tools)} cannot be combined with other tools there`;
  return `${describeTools(tools)} ${tools.length === 1 ? 'runs' : 'run'} at the vendor of the ${wire} wire`;
};

/**
 * The choice among the tools that remain.
 * @returns `undefined` if a call of a tool that does not remain is required
 */
const narrowChoice = (
  { mode, only }: ToolChoice,
  kept: readonly Tool[],
  dropped: readonly Tool[],
): ToolChoice | undefined => {
  const isForced = mode === 'required';
  if (only === undefined) return isForced && kept.length === 0 ? undefined : { mode };
  const gone = new Set(dropped.map(({ name }) => name));
  for (const { name } of kept) gone.delete(name);
  const left = only.filter((name) => !gone.has(name));
  if (left.length > 0) return { mode, only: left };
  return isForced ? undefined : { mode: 'none' };
};

/** The web searches of a request as the codec of the target knows them. */
const carrySearches = (
  request: GenerateRequest,
  searches: ReadonlySet<Tool>,
  maxUses: number | undefined,
  lose: (kind: 'approximated' | 'injected', detail: string) => void,
): GenerateRequest => {
  const { tools, toolChoice, extra } = request;
  const names = new Set([...searches].map(({ name }) => name));
  const other = [...searches].flatMap(({ webSearch }) => webSearch?.other ?? []);
  const options = [...searches].flatMap(({ option }) => option ?? []);
  if (other.length > 0) lose('approximated', `the web search is carried over without ${other.join(', ')}`);
  const { webSearch = {} } = [...searches][0] ?? {};
  const isCapped = maxUses === undefined || webSearch.maxUses !== undefined;
  if (!isCapped) lose('injected', `a limit of cost applies: ${maxUses} searches at most`);
  const search: Tool = { name: SEARCH, kind: 'hosted', webSearch: isCapped ? webSearch : { ...webSearch, maxUses } };
  return {
    ...request,
    tools: [...tools.filter((tool) => !searches.has(tool)), search],
    ...(toolChoice?.only === undefined
      ? {}
      : { toolChoice: { ...toolChoice, only: toolChoice.only.map((name) => (names.has(name) ? SEARCH : name)) } }),
    extra: options.length === 0 ? extra : { ...extra, honoured: [...(extra.honoured ?? []), ...options] },
  };
};

/**
 * A tool that runs at the vendor exists on the vendor's wire only. A web search is carried over if the target's vendor
 * has one. Other tools are refused by policy, because leaving them out changes the possible answers, or left out,
 * because an agent cannot go on without an answer. A required call of such a tool is refused in any case.
 */
export const hostedToolsFit = defineFit({
  name: 'hosted-tools',
  fit(request, profile, { client, lose, hostedTools = 'refuse', hostedUses }) {
    const { tools, toolChoice, wire } = request;
    if (wire === profile.wire || !tools.some(isHosted)) return undefined;
    const searches = new Set(tools.filter((tool) => isSearchable(tool, request, profile)));
    const kept = tools.filter((tool) => !isHosted(tool) || searches.has(tool));
    const dropped = tools.filter((tool) => isHosted(tool) && !searches.has(tool));
    // An option is no tool: the codec of the target reports it as lost.
    const named = dropped.filter(({ option }) => option === undefined);
    const field = describeField(client, 'tools');
    const choice = toolChoice && narrowChoice(toolChoice, kept, dropped);
    const isForced = toolChoice !== undefined && choice === undefined;
    if (named.length > 0) {
      const reason = explain(named, request, profile);
      if (hostedTools === 'refuse')
        throw unsupportedParameter(
          field,
          `The model ${profile.model} does not have all tools of the request: ${reason}. Remove what it does not ` +
            'have, or choose another model. The operator of the gateway can set hostedTools: drop on the key, the ' +
            'route or the model.',
        );
      if (isForced)
        throw unsupportedParameter(
          describeField(client, 'toolChoice'),
          `The model ${profile.model} does not have the tool whose call is required: ${reason}. Choose another model.`,
        );
      lose(field, 'dropped', reason);
    }
    const narrowed = { ...request, tools: kept, toolChoice: isForced ? toolChoice : choice };
    if (searches.size === 0) return { request: narrowed };
    const maxUses = profile.traits.capsSearches === true ? hostedUses : undefined;
    return { request: carrySearches(narrowed, searches, maxUses, (kind, detail) => lose(field, kind, detail)) };
  },
});
