import { isObject } from '../../canonical/json/members.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Model } from '../../catalog/catalog.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Exchange } from '../../contracts/exchange.ts';
import type { Order, Standing } from '../../contracts/attempt.ts';
import type { Target } from '../../contracts/target.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { composeOrder } from '../../dispatch/in-order.ts';
import { toGatewayError } from '../../errors/gateway-error.ts';
import { isProven } from '../../exchange/request/attribution.ts';
import { combineToolRules, type ToolRules } from '../../exchange/request/tool-rules.ts';
import type { Explain, ExplainRequest } from '../../http/admin/explain.ts';
import type { Runtime } from '../runtime.ts';
import type { Serving } from '../serving/serving.ts';
import { findKey, type FoundKey } from './find-key.ts';
import { makeExchange } from './sample-exchange.ts';
import type { ExplainedPlugin, ExplainedTarget, Explanation } from './explanation.ts';
import { describeOrigin } from './describe-origin.ts';
import { createRedact } from './redact.ts';
import { createPlanCall } from './plan-call.ts';
import { describeTarget } from './describe-target.ts';

const phases = [
  'middleware',
  'identify',
  'enter',
  'rewrite',
  'answer',
  'guard',
  'admit',
  'strategy',
  'order',
  'interceptor',
  'fits',
  'onResponseHeaders',
  'observe',
  'account',
  'endpoints',
] as const satisfies readonly (keyof PluginInstance)[];

/** A plugin that fails to explain itself does not fail the explanation. */
const explainPlugin = async (
  plugin: PluginInstance,
  exchange: Exchange,
  order: Order | undefined,
): Promise<Pick<ExplainedPlugin, 'says' | 'failed'>> => {
  if (plugin.explain === undefined) return {};
  try {
    return { says: await plugin.explain(exchange, order) };
  } catch (thrown) {
    return { failed: toGatewayError(thrown).message };
  }
};

/** Interceptors run only for calls that are made. One whose plugin does not explain it remains unknown. */
const noteInterceptors = (plugins: readonly ExplainedPlugin[]): readonly string[] =>
  plugins
    .filter(({ phases, says }) => phases.includes('interceptor') && says === undefined)
    .map(({ use }) => `The interceptor of ${use} runs only when a call is made: its effect is not shown here.`);

/** A request cannot name a user whom a token or a key proves, but operators can see what such a user has left. */
const withUser = (caller: Caller, user: string | undefined): Caller =>
  user !== undefined && isProven(user) ? { ...caller, user } : caller;

const noteRights = ({ origin, caller }: FoundKey): readonly string[] =>
  origin === 'plugin'
    ? [
        `A token or a key service names ${caller.key}: the models, limits and tags that come with it are not known ` +
          'here.',
      ]
    : [];

/** Targets that a limit of cost keeps from requests of this key. */
const noteUnpriced = ({ id, targets }: Model, exchange: Exchange): readonly string[] =>
  targets
    .filter((target) => target.price === undefined && !exchange.targets.includes(target))
    .map(
      (target) =>
        `${target.id} is not used: it has no price, and a limit of cost applies. Set a price, or ` +
        `models.${id}.unpriced: allow.`,
    );

const describeKey = ({ caller, origin, id }: FoundKey): Explanation['key'] => {
  const { key: name, organization, project, models } = caller;
  return omitUndefined({ name, organization, project, origin, id, models: models.length === 0 ? 'all' : models });
};

const describeToolRules = (rules: ToolRules): Pick<Explanation, 'hostedTools'> =>
  rules.lists.length === 0 && rules.otherwise === undefined ? {} : { hostedTools: rules };

const states: readonly unknown[] = ['ready', 'behind', 'resting'] satisfies readonly Standing['state'][];

const isStanding = (value: unknown): value is Standing =>
  isObject(value) &&
  typeof value['target'] === 'string' &&
  typeof value['credential'] === 'string' &&
  states.includes(value['state']);

/** The candidates in the explanation of a strategy, the best first; undefined where it lists none. */
export const readStandings = (explanation: unknown): readonly Standing[] | undefined =>
  isObject(explanation) && Array.isArray(explanation['candidates'])
    ? explanation['candidates'].filter(isStanding)
    : undefined;

/** Without a strategy: every credential, in the order of the configuration. */
export const listCredentials = ({ targets }: Pick<Exchange, 'targets'>): readonly Standing[] =>
  targets.flatMap(({ id, credentials }) =>
    credentials.map((credential): Standing => ({ target: id, credential, state: 'ready' })),
  );

/** Targets with a candidate, by their best one; then the others. */
export function orderTargets(targets: readonly Target[], standings: readonly Standing[]): readonly Target[] {
  const placeOf = ({ id }: Target): number => {
    const place = standings.findIndex(({ target }) => target === id);
    return place === -1 ? standings.length : place;
  };
  return targets.toSorted((one, other) => placeOf(one) - placeOf(other));
}

const withoutCall = ({ upstream: _upstream, unsent: _unsent, ...target }: ExplainedTarget): ExplainedTarget => target;

/** Shows the call of the first target that would be tried, or of all. */
const explainTargets = async (
  exchange: Exchange,
  serving: Serving,
  says: unknown,
  all = false,
): Promise<readonly ExplainedTarget[]> => {
  const ranked = readStandings(says);
  const standings = ranked ?? listCredentials(exchange);
  const ordered = ranked === undefined ? exchange.targets : orderTargets(exchange.targets, ranked);
  const planCall = createPlanCall(serving);
  const targets = await Promise.all(ordered.map((target) => describeTarget(exchange, target, standings, planCall)));
  const first = targets.find(({ skipped }) => skipped === undefined);
  return targets.map((target) => (all || target === first ? target : withoutCall(target)));
};

/**
 * Explains what the gateway would do with a request: the key, the route, the plugins in order with their explanations
 * (which include every limit), the targets in the order in which they would be tried, and the call that would be made.
 * Changes nothing and sends nothing.
 * @param start starts what serves the configuration; called for every request
 */
export function createExplain(
  { loaded, table, clock }: Pick<Runtime, 'loaded' | 'table' | 'clock'>,
  start: () => Promise<Serving>,
): Explain<Explanation> {
  const { extensions, config, file } = loaded;
  let redactOnce: ReturnType<typeof createRedact> | undefined;
  return async (request: ExplainRequest) => {
    const redact = (redactOnce ??= createRedact(loaded));
    const found = await findKey({ organizations: config.organizations, table, clock }, request);
    const caller = withUser(found.caller, request.user);
    const serving = await start();
    const { exchange, wire, stream, paths, route, model } = await makeExchange(serving, request, caller);
    const order = composeOrder(serving.plugins);
    const explaining = extensions.plugins.map(async (extension, index): Promise<ExplainedPlugin> => {
      const plugin = serving.plugins[index] ?? {};
      return {
        use: extension.use,
        origin: describeOrigin(extension, file),
        phases: phases.filter((phase) => plugin[phase] !== undefined),
        ...(await explainPlugin(plugin, exchange, order)),
      };
    });
    const plugins = await Promise.all(explaining);
    const says = plugins[serving.plugins.findIndex(({ strategy }) => strategy !== undefined)]?.says;
    const notes = [...noteRights(found), ...noteUnpriced(model, exchange), ...noteInterceptors(plugins)];
    return {
      key: describeKey(found),
      model: omitUndefined({
        id: exchange.model,
        alias: request.model === exchange.model ? undefined : request.model,
        defaults: exchange.operation === 'generate' ? model.defaults?.written : undefined,
      }),
      route: { wire, operation: exchange.operation, stream, paths, losses: exchange.losses },
      ...describeToolRules(combineToolRules(serving.tenancy.scopes(caller), route.hostedTools, model.hostedTools)),
      request: omitUndefined({
        body: request.body === undefined ? ('a small request' as const) : ('as given' as const),
        estimate: exchange.estimate,
        attribution: exchange.attribution,
      }),
      plugins: redact(plugins),
      targets: redact(await explainTargets(exchange, serving, says, request.all)),
      ...(notes.length === 0 ? {} : { notes }),
    };
  };
}
