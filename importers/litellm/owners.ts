import type { JsonObject, ConfigPath } from '../../core/index.ts';
import { readKeyLimits, readProviderBudgets, limitSections, writeBudget } from './limits.ts';
import type { Deployment } from './deployments.ts';
import type { Group } from './groups.ts';
import type { Notes } from './notes.ts';
import { countOf, numberOf, sectionOf, textOf } from './read.ts';
import type { Variables } from './variables.ts';

/** Where keys belong that name no organization: what it shares holds for all of them. */
const OWNER = 'default';
const shared: ConfigPath = ['organizations', OWNER];

export const ownersCarried: readonly string[] = [
  'max_budget',
  'budget_duration',
  'provider_budget_config',
  ...limitSections,
];
export const generalCarried: readonly string[] = [
  'master_key',
  'global_max_parallel_requests',
  'max_request_size_mb',
  'disable_spend_logs',
  'maximum_spend_logs_retention_period',
];

const readDeploymentBudgets = (groups: ReadonlyMap<string, Group>, { note }: Notes): readonly JsonObject[] =>
  [...groups.values()].flatMap(({ id, deployments }) =>
    deployments.flatMap(({ budget, at }: Deployment) => {
      if (budget === undefined) return [];
      const from = [...at, 'litellm_params', 'max_budget'];
      if (deployments.length > 1)
        note(
          from,
          'There, a deployment whose budget is spent gives way to the others; here the limit counts all that is spent on the model.',
          shared,
        );
      return writeBudget(budget.amount, budget.duration, from, shared, note, { models: [id] });
    }),
  );

interface Parts {
  readonly groups: ReadonlyMap<string, Group>;
  readonly modelsOf: (vendor: string) => readonly string[];
  readonly variables: Variables;
  readonly notes: Notes;
}

/** Budgets and limits of the whole proxy, of its keys, and the master key: `limits` and `organizations`. */
export function readOwners(source: JsonObject, { groups, modelsOf, variables, notes }: Parts): JsonObject {
  const { note, rest } = notes;
  const general = sectionOf(source['general_settings']);
  const proxy = sectionOf(source['litellm_settings']);
  const budget = numberOf(proxy['max_budget']);
  const concurrent = countOf(general['global_max_parallel_requests']);
  const providerBudgets = ['router_settings', 'litellm_settings'].flatMap((name) => {
    const config = sectionOf(sectionOf(source[name])['provider_budget_config']);
    return readProviderBudgets(config, [name, 'provider_budget_config'], shared, modelsOf, note);
  });
  const limits = [
    ...(concurrent === undefined ? [] : [{ concurrent }]),
    ...(budget === undefined
      ? []
      : writeBudget(budget, textOf(proxy['budget_duration']), ['litellm_settings', 'max_budget'], shared, note)),
    ...providerBudgets,
    ...readDeploymentBudgets(groups, notes),
  ];
  const keyLimits = readKeyLimits(proxy, ['litellm_settings'], note, rest);
  const to = [...shared, 'projects', OWNER, 'keys', 'master'];
  const master = variables.needed(
    general['master_key'],
    ['general_settings', 'master_key'],
    'LITELLM_MASTER_KEY',
    (from, text) => note(from, text, to),
    'stand-in',
  );
  if (master === undefined)
    note(
      ['general_settings'],
      'Without a master_key that proxy answers anyone. Here clients need a key: the first start makes one and prints it once.',
    );
  else
    note(
      ['general_settings', 'master_key'],
      'Here it is a key like any other, for all models. What it administers there, the admin listener does: give that a token of its own, KOINE_ADMIN_TOKEN.',
      to,
    );
  const organization = {
    ...(limits.length === 0 ? {} : { limits }),
    ...(master === undefined ? {} : { projects: { [OWNER]: { keys: { master: { key: master } } } } }),
  };
  return {
    ...(keyLimits.length === 0 ? {} : { limits: keyLimits }),
    ...(Object.keys(organization).length === 0 ? {} : { organizations: { [OWNER]: organization } }),
  };
}
