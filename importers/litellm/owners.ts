import type { JsonObject } from '../../core/api/index.ts';
import { readObject } from '../../core/api/codec.ts';
import type { ConfigPath, KeyPlace } from '../../core/api/internal.ts';
import { addBudgets, combineBudgets } from '../shared/budgets.ts';
import type { Notes } from '../shared/notes.ts';
import { countOf, numberOf, textOf } from '../shared/read.ts';
import type { Variables } from '../shared/variables.ts';
import type { Deployment } from './deployments.ts';
import type { Group } from './groups.ts';
import { limitSections, readBudget, readKeyLimits, readProviderBudgets } from './limits.ts';

/** The organization of keys that name none. Its shared limits apply to all of them. */
const OWNER = 'default';
/** The master key of the proxy in the result. */
export const masterKey: KeyPlace = { organization: OWNER, project: OWNER, name: 'master' };
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

const readDeploymentBudgets = (groups: ReadonlyMap<string, Group>, { note }: Notes): readonly JsonObject[] => {
  const budgets = [...groups.values()].flatMap(({ id, deployments }) =>
    deployments.flatMap(({ budget, at }: Deployment) => {
      if (budget === undefined) return [];
      const from = [...at, 'litellm_params', 'max_budget'];
      if (deployments.length > 1)
        note(
          from,
          'LiteLLM switches to another deployment when this budget is spent. ' +
            'Here, the limit counts the cost of the whole model; budgets of several deployments are added.',
          shared,
        );
      return readBudget(budget.amount, budget.duration, from, shared, note, { models: [id] });
    }),
  );
  return combineBudgets(budgets, addBudgets);
};

interface Parts {
  readonly groups: ReadonlyMap<string, Group>;
  readonly modelsOf: (vendor: string) => readonly string[];
  readonly variables: Variables;
  readonly notes: Notes;
}

/** Reads the budgets and limits of the proxy and its keys, and the master key, as `limits` and `organizations`. */
export function readOwners(source: JsonObject, { groups, modelsOf, variables, notes }: Parts): JsonObject {
  const { note, noteUnsupported } = notes;
  const general = readObject(source['general_settings']);
  const proxy = readObject(source['litellm_settings']);
  const budget = numberOf(proxy['max_budget']);
  const concurrent = countOf(general['global_max_parallel_requests']);
  const providerBudgets = ['router_settings', 'litellm_settings'].flatMap((name) => {
    const config = readObject(readObject(source[name])['provider_budget_config']);
    return readProviderBudgets(config, [name, 'provider_budget_config'], shared, modelsOf, note);
  });
  const limits = [
    ...(concurrent === undefined ? [] : [{ concurrent }]),
    ...(budget === undefined
      ? []
      : readBudget(budget, textOf(proxy['budget_duration']), ['litellm_settings', 'max_budget'], shared, note)),
    // A budget of a vendor and one of its only model, for the same period: both hold if the smaller one does.
    ...combineBudgets([...providerBudgets, ...readDeploymentBudgets(groups, notes)], Math.min),
  ];
  const keyLimits = readKeyLimits(proxy, ['litellm_settings'], note, noteUnsupported);
  const to = [...shared, 'projects', OWNER, 'keys', masterKey.name];
  const master = variables.requiredSecret(
    general['master_key'],
    ['general_settings', 'master_key'],
    'LITELLM_MASTER_KEY',
    (from, text) => note(from, text, to),
    'stand-in',
  );
  if (master === undefined)
    note(
      ['general_settings'],
      'Without a master_key, LiteLLM serves any client. Here clients need a key: ' +
        'the first start creates one and prints it once.',
    );
  else
    note(
      ['general_settings', 'master_key'],
      'Here this is an ordinary key, for all models. ' +
        'Administration uses the admin listener, with a token of its own: set KOINE_ADMIN_TOKEN.',
      to,
    );
  const organization = {
    ...(limits.length === 0 ? {} : { limits }),
    ...(master === undefined ? {} : { projects: { [OWNER]: { keys: { [masterKey.name]: { key: master } } } } }),
  };
  return {
    ...(keyLimits.length === 0 ? {} : { limits: keyLimits }),
    ...(Object.keys(organization).length === 0 ? {} : { organizations: { [OWNER]: organization } }),
  };
}
