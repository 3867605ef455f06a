import type { Estimate, HostedEstimate } from '../../contracts/price.ts';
import type { HostedTool } from '../../canonical/tool.ts';
import type { Loss } from '../../canonical/loss.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
import type { Catalog, Model } from '../../catalog/catalog.ts';
import { describePath } from '../../config/describe-path.ts';
import type { Caller, HostedToolsPolicy } from '../../contracts/caller.ts';
import type { InboundRequest } from '../../contracts/codec-context.ts';
import type { Exchange } from '../../contracts/exchange.ts';
import type { Tenancy } from '../../contracts/services.ts';
import { isObject } from '../../canonical/json/members.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { describeField } from '../../fits/support/field-name.ts';
import type { ExchangeRoute } from '../exchange-state.ts';
import type { PlaceEdit } from './edit-body.ts';
import { findToolModel, isPriced } from './tool-models.ts';
import { combineToolRules, findCostLimit, type ToolRules } from './tool-rules.ts';

/** The uses of a hosted tool that are reserved, and allowed, if the request of a key with a limit of cost sets none. */
const USUAL_USES = 5;
/** Tokens of the result of one use, which the model reads. A search has some 8,000. */
const RESULT_TOKENS = 8_000;
/** Tokens that the model of a tool writes in one use without a cap. */
const USUAL_OUTPUT = 4_096;

export interface ToolRequest {
  readonly caller: Caller;
  readonly route: Pick<ExchangeRoute, 'wire' | 'traits' | 'hostedTools'>;
  readonly model: Model;
  readonly inbound: Pick<InboundRequest, 'body'>;
  readonly request: GenerateRequest;
  readonly tools: readonly HostedTool[];
}

/** What is decided about the hosted tools of a request. */
export interface ToolDecision {
  /** Those that remain, with the cap on their uses and the name of their model at the provider. */
  readonly tools: readonly HostedTool[];
  readonly policy: HostedToolsPolicy;
  readonly edits: readonly PlaceEdit[];
  readonly losses: readonly Loss[];
  /** A limit of cost applies. */
  readonly isLimited: boolean;
}

interface ToolParts {
  readonly catalog: Catalog;
  readonly tenancy: Tenancy;
}

const describeTool = ({ kind, type }: HostedTool): string =>
  kind === undefined || type === kind ? `'${type}'` : `'${type}' (${kind})`;

/** Why a list does not have the tool. */
const findList = ({ lists }: ToolRules, tool: HostedTool, param: string): GatewayError | undefined => {
  const { kind } = tool;
  const list = lists.find(({ allow }) => kind === undefined || !allow.includes(kind));
  if (list === undefined) return undefined;
  const { level, allow } = list;
  const allowed = allow.length === 0 ? 'no tool' : `only ${allow.join(', ')}`;
  const remedy = kind === undefined ? 'which the gateway does not know' : `or have the operator add ${kind} there`;
  return new GatewayError(
    'permission_denied',
    `The tool ${describeTool(tool)} is not allowed: hostedTools of ${level} allows ${allowed} to run at a vendor. ` +
      `Leave the tool out, ${remedy}.`,
    { param },
  );
};

const unknownModel = (tool: HostedTool, param: string): GatewayError =>
  new GatewayError(
    'model_not_found',
    `The tool ${describeTool(tool)} calls the model '${tool.model}', which does not exist in the catalog or which ` +
      'this key may not use. Leave the tool out, or have the operator add the model to the catalog and to the models ' +
      'of the key.',
    { param },
  );

const unpriced = (tool: HostedTool, { id }: Model, isLimited: boolean, param: string): GatewayError => {
  const { model, billed, kind } = tool;
  const what = billed === 'model' ? `the model '${model}' that it calls has no price` : 'it has no price';
  const where = isLimited ? 'a limit of cost applies to this request' : `'unpriced' of ${id} is reject`;
  const price =
    billed === 'model'
      ? ' set a price for that model,'
      : billed === undefined
        ? ''
        : ` set units.${billed} in a price,`;
  return invalidRequest(
    param,
    `The tool ${describeTool(tool)} cannot be used: ${what}, and ${where}. Leave it out, or have the operator` +
      `${price}${price === '' ? '' : ' or'} list ${kind ?? 'it'} in unpricedTools.`,
  );
};

/** Why a tool may not run at a vendor. */
const objectTo = (
  { caller, model, route }: ToolRequest,
  { catalog }: ToolParts,
  rules: ToolRules,
  tool: HostedTool,
  isLimited: boolean,
): GatewayError | undefined => {
  const param = tool.place.length === 0 ? describeField(route.traits, 'tools') : describePath(tool.place);
  const unlisted = findList(rules, tool, param);
  if (unlisted !== undefined) return unlisted;
  const own = tool.model === undefined ? undefined : findToolModel(catalog, caller, model, tool);
  if (own?.allowed === false) return unknownModel(tool, param);
  if (!isLimited && !model.rejectsUnpriced) return undefined;
  if (tool.kind !== undefined && model.unpricedTools.includes(tool.kind)) return undefined;
  return isPriced(model, route.wire, tool, own?.name) ? undefined : unpriced(tool, model, isLimited, param);
};

const refuseChoice = (field: string, reason: string): GatewayError =>
  invalidRequest(field, `'${field}' selects a tool that is left out. ${reason}`);

/** Without the dropped tools, the request must not require or select one of them. */
const checkChoice = (
  { request, route: { traits } }: ToolRequest,
  dropped: ReadonlySet<string>,
  reason: string,
): void => {
  const { toolChoice, tools } = request;
  if (toolChoice === undefined) return;
  const { mode, only = [] } = toolChoice;
  const isLost = mode === 'required' && tools.every(({ name }) => dropped.has(name));
  if (isLost || only.some((name) => dropped.has(name))) throw refuseChoice(describeField(traits, 'toolChoice'), reason);
};

/** Vendors refuse the settings of tools without any tool. */
const withoutTools = ({ request, inbound: { body }, route: { traits } }: ToolRequest, dropped: ReadonlySet<string>) =>
  request.tools.every(({ name }) => dropped.has(name))
    ? (['toolChoice', 'parallelTools'] as const)
        .map((field) => describeField(traits, field))
        .filter((member) => isObject(body) && Object.hasOwn(body, member))
        .map((member): PlaceEdit => ({ place: [member] }))
    : [];

/** Caps the uses of a tool under a limit of cost. */
const capUses = (tool: HostedTool, edits: PlaceEdit[], losses: Loss[]): HostedTool => {
  const { capPlace, maxUses, billed } = tool;
  if (capPlace === undefined || maxUses !== undefined || billed === undefined || billed === 'tokens') return tool;
  const field = describePath(capPlace);
  if (!losses.some((loss) => loss.field === field)) {
    edits.push({ place: capPlace, value: USUAL_USES });
    losses.push({ field, kind: 'injected', detail: `a limit of cost applies: ${USUAL_USES} uses of the tool at most` });
  }
  return { ...tool, maxUses: USUAL_USES };
};

/** What happens to a tool that may not run, or that a target does not have. */
export function selectPolicy(
  { tenancy }: Pick<ToolParts, 'tenancy'>,
  { caller, route, model }: ToolRequest,
  isAgent: boolean,
): HostedToolsPolicy {
  const { otherwise } = combineToolRules(tenancy.scopes(caller), route.hostedTools, model.hostedTools);
  return otherwise ?? (isAgent ? 'drop' : 'refuse');
}

/**
 * Decides which hosted tools of a request may run at the vendor: each must be in every list that applies, its model
 * must be one that the key may use, and under a limit of cost it must have a price. Another one is left out or refused.
 * @param isAgent without a setting, the tools of a coding agent are left out, and those of others refused
 * @throws GatewayError 400, 403, 404 that names the tool and the setting
 */
export function governHostedTools(parts: ToolParts, asked: ToolRequest, isAgent: boolean): ToolDecision {
  const { caller, route, model, tools } = asked;
  const scopes = parts.tenancy.scopes(caller);
  const rules = combineToolRules(scopes, route.hostedTools, model.hostedTools);
  const policy = rules.otherwise ?? (isAgent ? 'drop' : 'refuse');
  const isLimited = findCostLimit(scopes, model.id) !== undefined;
  const edits: PlaceEdit[] = [];
  const losses: Loss[] = [];
  const kept: HostedTool[] = [];
  const dropped = new Set<string>();
  for (const tool of tools) {
    const objection = objectTo(asked, parts, rules, tool, isLimited);
    if (objection !== undefined) {
      const { place, name = tool.type } = tool;
      if (policy === 'refuse' || place.length === 0) throw objection;
      dropped.add(name);
      checkChoice(asked, dropped, objection.message);
      edits.push({ place });
      losses.push({ field: describePath(place), kind: 'dropped', detail: objection.message });
      continue;
    }
    const { model: named, modelPlace } = tool;
    const own = named === undefined ? undefined : findToolModel(parts.catalog, caller, model, tool).name;
    if (modelPlace !== undefined && own !== named) edits.push({ place: modelPlace, value: own });
    const resolved = own === undefined ? tool : { ...tool, model: own };
    kept.push(isLimited ? capUses(resolved, edits, losses) : resolved);
  }
  if (dropped.size > 0) edits.push(...withoutTools(asked, dropped));
  return { tools: kept, policy, edits, losses, isLimited };
}

/** What the tools use at most. @param inputTokens of the request, which a model that a tool calls reads as well */
const estimateTools = (tools: readonly HostedTool[], inputTokens: number): readonly HostedEstimate[] =>
  tools.map(({ kind, type, billed, model, maxUses, tokens = {} }): HostedEstimate => {
    const uses = maxUses ?? USUAL_USES;
    const isOther = billed === 'model';
    const {
      input = isOther ? inputTokens : RESULT_TOKENS,
      output = isOther ? USUAL_OUTPUT : 0,
      outputImage = 0,
    } = tokens;
    return {
      tool: kind ?? type,
      uses,
      declared: maxUses !== undefined,
      ...(billed === undefined || billed === 'model' || billed === 'tokens' ? {} : { unit: billed }),
      ...(isOther && model !== undefined ? { model } : {}),
      inputTokens: uses * input,
      outputTokens: uses * output,
      imageTokens: uses * outputImage,
    };
  });

/** What an exchange has of its hosted tools. */
export const describeTools = (
  { tools, policy, losses, isLimited }: ToolDecision,
  estimate: Estimate,
): Pick<Exchange, 'estimate' | 'hostedTools' | 'hostedUses' | 'edits'> => ({
  estimate: tools.length === 0 ? estimate : { ...estimate, hosted: estimateTools(tools, estimate.inputTokens) },
  hostedTools: policy,
  ...(isLimited ? { hostedUses: tools.find(({ kind }) => kind === 'web_search')?.maxUses ?? USUAL_USES } : {}),
  ...(losses.length === 0 ? {} : { edits: losses }),
});
