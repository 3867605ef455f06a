import type { HostedToolKind } from '../../canonical/tool.ts';
import { allowsModel } from '../../catalog/model-pattern.ts';
import type {
  CallerScope,
  HostedToolsPolicy,
  HostedToolsRules,
  HostedToolsSetting,
  Limit,
} from '../../contracts/caller.ts';

/** The rules for tools at vendors that apply to one request. */
export interface ToolRules {
  /** Every list that applies, with the level that has it. */
  readonly lists: readonly { readonly level: string; readonly allow: readonly HostedToolKind[] }[];
  /** Of the nearest level that sets one. */
  readonly otherwise?: HostedToolsPolicy;
}

const readSetting = (setting: HostedToolsSetting): HostedToolsRules => {
  if (typeof setting === 'string') return { otherwise: setting };
  return 'length' in setting ? { allow: setting } : setting;
};

/** Combines the settings of all levels: each list restricts, and the policy nearest to the caller wins. */
export function combineToolRules(
  scopes: readonly CallerScope[],
  route: HostedToolsSetting | undefined,
  model: HostedToolsSetting | undefined,
): ToolRules {
  const levels = [
    ...scopes.map(({ scope, path, hostedTools }) => [`the ${scope} ${path.join('/')}`, hostedTools] as const),
    ['the route', route] as const,
    ['the model', model] as const,
  ];
  const lists: { level: string; allow: readonly HostedToolKind[] }[] = [];
  let nearest: HostedToolsPolicy | undefined;
  for (const [level, setting] of levels) {
    if (setting === undefined) continue;
    const { allow, otherwise } = readSetting(setting);
    if (allow !== undefined) lists.push({ level, allow });
    nearest ??= otherwise;
  }
  return nearest === undefined ? { lists } : { lists, otherwise: nearest };
}

/** A limit of cost, and the level that owns it. */
export interface CostLimit extends Pick<CallerScope, 'scope' | 'path'> {
  readonly limit: Limit;
}

/** The first limit of cost that refuses requests and applies to the model. */
export function findCostLimit(scopes: readonly CallerScope[], model: string): CostLimit | undefined {
  for (const { scope, path, limits } of scopes)
    for (const limit of limits)
      if (limit.unit === 'cost' && limit.enforce && allowsModel(limit.models, model)) return { scope, path, limit };
  return undefined;
}
