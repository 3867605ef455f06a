import type { JsonObject } from '../../core/api/index.ts';
import { readList, readObject } from '../../core/api/codec.ts';
import type { Importer } from '../../core/api/internal.ts';
import { createNotes, type Notes } from '../shared/notes.ts';
import { createProviders } from '../shared/providers.ts';
import { textOf } from '../shared/read.ts';
import { ADMIN, listPlugins, unlessEmpty } from '../shared/sections.ts';
import { createVariables } from '../shared/variables.ts';
import { withoutProvider } from './access.ts';
import { readBackends } from './backends.ts';
import { readCatalog, writeCatalog } from './catalog.ts';
import { readExpected } from './expected.ts';
import { createLimits } from './limits.ts';
import { readModelLimits } from './model-limits.ts';
import { readOwners } from './owners.ts';
import { readPrices } from './prices.ts';
import { reasonFor, restricting } from './reasons.ts';
import { readRules, type Rule } from './rules.ts';
import { readFailover, readLedger, readPlugins, readServer } from './settings.ts';

const TOP = ['$schema', 'version', 'client', 'providers', 'governance', 'plugins', 'logs_store', 'server'];
const CLIENT = [
  'max_request_body_size_mb',
  'enable_logging',
  'log_retention_days',
  'enforce_auth_on_inference',
  'enforce_governance_header',
];
const GOVERNANCE = [
  'virtual_keys',
  'budgets',
  'rate_limits',
  'customers',
  'teams',
  'routing_rules',
  'pricing_overrides',
  'model_configs',
];

/** Names of models that are in no list of a provider, by provider. */
const listMentioned = (source: JsonObject, rules: readonly Rule[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const governance = readObject(source['governance']);
  const mentioned = new Map<string, Set<string>>();
  const add = (provider: unknown, name: unknown): void => {
    const [of, model] = [textOf(provider), textOf(name)];
    if (of === undefined || model === undefined || model.includes('*')) return;
    mentioned.set(of, (mentioned.get(of) ?? new Set()).add(withoutProvider(model, of)));
  };
  for (const key of readList(governance['virtual_keys']))
    for (const written of readList(readObject(key)['provider_configs'])) {
      const config = readObject(written);
      for (const model of readList(config['allowed_models'])) add(config['provider'], model);
    }
  for (const written of readList(governance['model_configs']))
    add(readObject(written)['provider'], readObject(written)['model_name']);
  for (const { targets, fallbacks } of rules)
    for (const { provider, model } of [...targets, ...fallbacks]) add(provider, model);
  return mentioned;
};

const noteUnsupportedSettings = (source: JsonObject, { note, noteUnsupported }: Notes): void => {
  noteUnsupported(source, [], TOP);
  const client = readObject(source['client']);
  noteUnsupported(client, ['client'], CLIENT);
  noteUnsupported(readObject(source['governance']), ['governance'], GOVERNANCE);
  if (client['enforce_auth_on_inference'] !== true && client['enforce_governance_header'] !== true)
    note(
      ['client'],
      'Without enforce_auth_on_inference, Bifrost serves clients without a virtual key. ' +
        'Here each client needs a key: create them with "koine keys create".',
    );
  if (readObject(source['logs_store'])['enabled'] === true)
    note(
      ['logs_store'],
      'The plugin ledger stores a row for each request, without prompts and answers, in store.database ' +
        '(docs/operate/database.md).',
      ['plugins'],
    );
  if (readList(readObject(source['governance'])['budgets']).length > 0)
    note(
      ['governance', 'budgets'],
      'A budget starts anew with each calendar period, in the time zone of the plugin rate-limit. ' +
        'What Bifrost has counted so far is not imported.',
      ['organizations'],
    );
};

/**
 * Imports the config.json of Bifrost, see docs/start/from-bifrost.md.
 * https://docs.getbifrost.ai/deployment-guides/config-json/schema-reference
 */
const bifrost: Importer = {
  title: 'Bifrost',
  translate: (source, help) => {
    const notes = createNotes(reasonFor, restricting);
    const { note } = notes;
    const variables = createVariables(source, String.raw`env\.`);
    const providers = createProviders(variables, help, notes);
    const isOld = source['version'] === 1;
    const backends = readBackends(source, { notes, providers, isOld });
    const rules = readRules(source, note);
    const mentioned = listMentioned(source, rules);
    const catalog = readCatalog({ backends, rules, mentioned, help, notes });
    const { models, aliases, choices } = writeCatalog(catalog, readPrices(source, note), note);
    const limits = createLimits(source, note);
    const modelLimits = readModelLimits(source, catalog, limits);
    const { organizations, keys } = readOwners(source, {
      notes,
      variables,
      limits,
      catalog,
      providers: readObject(source['providers']),
      isOld,
      ...modelLimits,
    });
    const first = readPlugins(source, variables, note);
    noteUnsupportedSettings(source, notes);
    const failover = { ...readFailover(source, note), ...unlessEmpty('models', choices) };
    return {
      notes: notes.list,
      variables: variables.required,
      expected: readExpected(source, { variables, isOld, rules, mentioned, keys }),
      settings: {
        ...readServer(readObject(source['client'])),
        admin: ADMIN,
        ...unlessEmpty('providers', providers.settings),
        ...unlessEmpty('models', models),
        ...unlessEmpty('aliases', aliases),
        ...unlessEmpty('organizations', { ...organizations }),
        plugins: listPlugins(failover, readLedger(source), first),
      },
    };
  },
};

export default bifrost;
