import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Exchange } from '../../contracts/exchange.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { toGatewayError } from '../../errors/gateway-error.ts';
import type { Explain, ExplainQuestion } from '../../http/admin/explain.ts';
import type { Runtime } from '../runtime.ts';
import type { Serving } from '../serving.ts';
import { findKey } from './caller.ts';
import { makeExchange } from './exchange.ts';
import type { ExplainedPlugin, ExplainedTarget, Explanation } from './explanation.ts';
import { describeOrigin } from './origin.ts';
import { createRedact } from './redact.ts';
import { createRehearse } from './rehearse.ts';
import { listCredentials, orderTargets, readStandings } from './standings.ts';
import { describeTarget } from './target.ts';

const phases = [
  'middleware',
  'identify',
  'enter',
  'admit',
  'strategy',
  'interceptor',
  'fits',
  'onResponseHeaders',
  'observe',
  'account',
  'endpoints',
] as const satisfies readonly (keyof PluginInstance)[];

/** One plugin that fails to explain itself leaves the others' words. */
const askPlugin = async (
  plugin: PluginInstance,
  exchange: Exchange,
): Promise<Pick<ExplainedPlugin, 'says' | 'failed'>> => {
  if (plugin.explain === undefined) return {};
  try {
    return { says: await plugin.explain(exchange) };
  } catch (thrown) {
    return { failed: toGatewayError(thrown).message };
  }
};

/** What interceptors do is for calls that are made: who has one and says nothing about it leaves something unknown. */
const noteInterceptors = (plugins: readonly ExplainedPlugin[]): readonly string[] =>
  plugins
    .filter(({ phases, says }) => phases.includes('interceptor') && says === undefined)
    .map(({ use }) => `What ${use} does to calls as they are made (its interceptor) is not seen here.`);

const withoutCall = ({ upstream: _upstream, unsent: _unsent, ...target }: ExplainedTarget): ExplainedTarget => target;

/** The call is shown of the first target that would be tried, or of all. */
const explainTargets = async (
  exchange: Exchange,
  serving: Serving,
  says: unknown,
  all = false,
): Promise<readonly ExplainedTarget[]> => {
  const told = readStandings(says);
  const standings = told ?? listCredentials(exchange);
  const ordered = told === undefined ? exchange.targets : orderTargets(exchange.targets, told);
  const rehearse = createRehearse(serving);
  const targets = await Promise.all(ordered.map((target) => describeTarget(exchange, target, standings, rehearse)));
  const first = targets.find(({ skipped }) => skipped === undefined);
  return targets.map((target) => (all || target === first ? target : withoutCall(target)));
};

/**
 * What would become of a request: who calls, its route, the plugins in their order and what they say (every limit among it), the targets in the
 * order in which they would be tried, and the call that would be made. Changes nothing, and sends nothing.
 * @param start what serves the configuration; asked with the first question
 */
export function createExplain(
  { loaded, table, clock }: Pick<Runtime, 'loaded' | 'table' | 'clock'>,
  start: () => Promise<Serving>,
): Explain<Explanation> {
  const { extensions, config, file } = loaded;
  let known: ReturnType<typeof createRedact> | undefined;
  return async (question: ExplainQuestion) => {
    const redact = (known ??= createRedact(loaded));
    const { caller, origin, id } = await findKey({ organizations: config.organizations, table, clock }, question);
    const serving = await start();
    const { exchange, wire, stream, paths } = makeExchange(serving, question, caller);
    const pluginsAsked = extensions.plugins.map(async (extension, index): Promise<ExplainedPlugin> => {
      const plugin = serving.plugins[index] ?? {};
      return {
        use: extension.use,
        origin: describeOrigin(extension, file),
        phases: phases.filter((phase) => plugin[phase] !== undefined),
        ...(await askPlugin(plugin, exchange)),
      };
    });
    const plugins = await Promise.all(pluginsAsked);
    const says = plugins[serving.plugins.findIndex(({ strategy }) => strategy !== undefined)]?.says;
    const notes = noteInterceptors(plugins);
    const { key, organization, project, models } = caller;
    return {
      key: omitUndefined({
        name: key,
        organization,
        project,
        origin,
        id,
        models: models.length === 0 ? 'all' : models,
      }),
      model: { id: exchange.model, ...(question.model === exchange.model ? {} : { alias: question.model }) },
      route: { wire, operation: exchange.operation, stream, paths, losses: exchange.losses },
      request: { body: question.body === undefined ? 'a small request' : 'as given', estimate: exchange.estimate },
      plugins: redact(plugins),
      targets: redact(await explainTargets(exchange, serving, says, question.all)),
      ...(notes.length === 0 ? {} : { notes }),
    };
  };
}
