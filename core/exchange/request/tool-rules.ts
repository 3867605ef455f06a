import type { HostedToolKind } from '../../canonical/tool.ts';
import { allowsModel } from '../../catalog/model-pattern.ts';
import type { CallerScope, HostedToolsPolicy, HostedToolsRules, HostedToolsSetting } from '../../contracts/caller.ts';

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

/** Whether a limit of cost that refuses requests applies to the model. */
export const hasCostLimit = (scopes: readonly CallerScope[], model: string): boolean =>
  scopes.some(({ limits }) =>
    limits.some(({ unit, enforce, models }) => unit === 'cost' && enforce && allowsModel(models, model)),
  );
