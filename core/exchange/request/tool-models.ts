import type { HostedTool } from '../../canonical/tool.ts';
import { allowsModel } from '../../catalog/model-pattern.ts';
import type { Catalog, Model } from '../../catalog/catalog.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { WireName } from '../../canonical/wire.ts';
import type { Target } from '../../contracts/target.ts';

/** Whether the tool can run at the target: on another wire only a web search does. */
const canRun = ({ capabilities }: Model, target: Target, wire: WireName, { kind }: HostedTool): boolean => {
  if (target.credentials.length === 0) return false;
  if (target.endpoint.wires.some((own) => own.wire === wire)) return true;
  return kind === 'web_search' && (capabilities.get(target)?.webSearch ?? false) !== false;
};

/**
 * Whether the price of a tool is known at every target where it can run. A unit for which a price has no figure is not
 * free here: 0 is a figure.
 * @param model of the tool, by its name at the provider
 */
export const isPriced = (model: Model, wire: WireName, tool: HostedTool, toolModel: string | undefined): boolean => {
  const { billed } = tool;
  if (billed === 'tokens') return true;
  return model.targets.every((target) => {
    if (!canRun(model, target, wire, tool)) return true;
    if (billed === undefined) return false;
    if (billed !== 'model') return target.price?.units?.[billed] !== undefined;
    return toolModel !== undefined && target.priceOf?.(toolModel) !== undefined;
  });
};

/** The model of a tool: whether the key may use it, and its name at the provider. */
export interface ToolModel {
  readonly allowed: boolean;
  readonly name: string;
}

/** The models of the catalog with a target of this name at one of the providers. */
const findByTarget = ({ models, find }: Catalog, providers: ReadonlySet<string>, name: string): readonly Model[] => {
  const listed = models.filter(({ targets }) =>
    targets.some(({ provider, model }) => model === name && providers.has(provider)),
  );
  if (listed.length > 0) return listed;
  // Those of wildcards exist once they are named.
  return [...providers].flatMap((provider) => {
    const model = find(`${provider}/${name}`);
    return model?.targets.some((target) => target.provider === provider && target.model === name) ? [model] : [];
  });
};

/**
 * The model that a tool calls at the vendor. The key must be allowed to use it, as if the request named it: by its id
 * or an alias in the catalog, or by its name at a provider of the request. A model that a request names must be in the
 * catalog; the vendor's default need not, for a key that can use every model.
 */
export function findToolModel(
  catalog: Catalog,
  { models }: Pick<Caller, 'models'>,
  { targets }: Pick<Model, 'targets'>,
  { model = '', modelPlace }: HostedTool,
): ToolModel {
  const providers = new Set(targets.map(({ provider }) => provider));
  const named = modelPlace === undefined ? undefined : catalog.find(model);
  const target = named?.targets.find(({ provider }) => providers.has(provider));
  if (named !== undefined && target !== undefined)
    return { allowed: allowsModel(models, named.id), name: target.model };
  const known = findByTarget(catalog, providers, model);
  const isAllowed =
    known.length > 0
      ? known.some(({ id }) => allowsModel(models, id))
      : modelPlace === undefined && models.length === 0;
  return { allowed: isAllowed, name: model };
}
