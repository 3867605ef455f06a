import { DURATION_PATTERN, type JsonObject } from '../../core/api/index.ts';
import { readObject } from '../../core/api/codec.ts';
import type { Importer, ConfigPath } from '../../core/api/internal.ts';
import { createNotes, type Note, type Notes } from '../shared/notes.ts';
import { createProviders } from '../shared/providers.ts';
import { countOf, textOf } from '../shared/read.ts';
import { ADMIN, describeBodies, listPlugins, unlessEmpty } from '../shared/sections.ts';
import { createVariables, type Variables } from '../shared/variables.ts';
import { listAliased, readAliases } from './aliases.ts';
import { readCredentials } from './credentials.ts';
import { readDeployments } from './deployments.ts';
import { readExpected } from './expected.ts';
import { readFallbacks } from './fallbacks.ts';
import { groupDeployments, type Group } from './groups.ts';
import { buildModel } from './models.ts';
import { generalCarried, masterKey, ownersCarried, readOwners } from './owners.ts';
import { reasonFor, restricting } from './reasons.ts';
import { readFailover, readProviderTimeouts, readRedis, readRouting, routingCarried } from './routing.ts';
import { createSetting } from './setting.ts';

/** The plugin `ledger`, which replaces spend logs. */
const readLedger = ({
  disable_spend_logs: isOff,
  maximum_spend_logs_retention_period: retention,
}: JsonObject): readonly JsonObject[] =>
  isOff === true
    ? []
    : [
        {
          use: 'ledger',
          ...(typeof retention === 'string' && new RegExp(DURATION_PATTERN).test(retention)
            ? { config: { retention } }
            : {}),
        },
      ];

const TOP = ['model_list', 'credential_list', 'litellm_settings', 'router_settings', 'general_settings'];

type Groups = ReadonlyMap<string, Group>;

/** Returns the ids of the models that have a deployment at the vendor. */
const listModelsOf =
  (groups: Groups) =>
  (vendor: string): readonly string[] =>
    [...groups.values()]
      .filter(({ deployments }) =>
        deployments.some(({ provider }) => provider === vendor || provider.startsWith(`${vendor}-`)),
      )
      .map(({ id }) => id);

const ROUTER_AT: ConfigPath = ['router_settings'];

const readStore = (router: JsonObject, variables: Variables, note: Note): JsonObject => {
  const redis = readRedis(router, {
    value: variables.value,
    secret: (value, name) =>
      variables.secret(value, [...ROUTER_AT, name.toLowerCase()], name, (from, text) => note(from, text, ['store'])),
    note: (name, text) => note([...ROUTER_AT, name], text),
  });
  return redis === undefined ? {} : { store: { redis } };
};

const noteUnsupportedSettings = (source: JsonObject, { noteUnsupported }: Notes): void => {
  noteUnsupported(readObject(source['general_settings']), ['general_settings'], generalCarried);
  noteUnsupported(readObject(source['litellm_settings']), ['litellm_settings'], [...routingCarried, ...ownersCarried]);
  noteUnsupported(readObject(source['router_settings']), ROUTER_AT, [...routingCarried, 'provider_budget_config']);
  noteUnsupported(source, [], TOP);
};

const addToEach = (entries: Readonly<Record<string, object>>, members: object): Record<string, object> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, { ...entry, ...members }]));

/**
 * Imports the configuration of a LiteLLM proxy, see docs/start/from-litellm.md.
 * https://docs.litellm.ai/docs/proxy/config_settings
 */
const litellm: Importer = {
  title: 'LiteLLM',
  translate: (source, help) => {
    const notes = createNotes(reasonFor, restricting);
    const { note } = notes;
    const variables = createVariables(source, String.raw`os\.environ/`);
    const setting = createSetting(source, routingCarried, note);
    const providers = createProviders(variables, help, notes);
    const credentials = readCredentials(source);
    const [aliasesAt, aliases] = setting('model_group_alias') ?? [[], undefined];
    const deployments = readDeployments(source, { notes, providers, credentials, help });
    const groups = groupDeployments(deployments, listAliased(aliases), note);

    const fallbacks = readFallbacks(setting, groups, note);
    const routing = readRouting(setting, note);
    const built = [...groups.values()].map(
      (group) => [group.id, buildModel(group, { fallbacks, routing, note })] as const,
    );
    const choices = Object.fromEntries(
      built.flatMap(([id, { choice }]) => (choice === undefined ? [] : [[id, choice]])),
    );
    const general = readObject(source['general_settings']);
    const owners = readOwners(source, { groups, modelsOf: listModelsOf(groups), variables, notes });
    const store = readStore(readObject(source['router_settings']), variables, note);
    const bodyLimit = countOf(general['max_request_size_mb']);
    const timeouts = readProviderTimeouts(setting);

    noteUnsupportedSettings(source, notes);

    const failover = { ...readFailover(setting, routing, note), ...unlessEmpty('models', choices) };
    const master = textOf(general['master_key']) === undefined ? undefined : masterKey;
    return {
      notes: notes.list,
      variables: variables.required,
      expected: readExpected(source, setting, variables, master),
      settings: {
        ...(bodyLimit === undefined ? {} : { server: describeBodies(bodyLimit) }),
        admin: ADMIN,
        ...store,
        ...unlessEmpty('providers', addToEach(providers.settings, timeouts)),
        ...unlessEmpty('models', Object.fromEntries(built.map(([id, { settings }]) => [id, settings]))),
        ...unlessEmpty('aliases', readAliases(aliases, aliasesAt, groups, note)),
        ...owners,
        plugins: listPlugins(failover, readLedger(general)),
      },
    };
  },
};

export default litellm;
