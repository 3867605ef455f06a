import type { HostedTool } from '../../canonical/tool.ts';
import type { WireName } from '../../canonical/wire.ts';
import type { Model } from '../../catalog/catalog.ts';
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
