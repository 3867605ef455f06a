import type { Exchange } from '../../contracts/exchange.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { toGatewayError } from '../../errors.ts';
import type { Explain } from '../../http/admin/explain.ts';
import type { Runtime } from '../runtime.ts';
import { findKey } from './caller.ts';
import { makeExchange, type Serving } from './exchange.ts';
import { describeTarget } from './target.ts';

const phases = ['middleware', 'identify', 'admit', 'strategy', 'interceptor', 'fits', 'observe'] as const satisfies readonly (keyof PluginInstance)[];

/** One plugin that fails to explain itself leaves the others' words. */
const askPlugin = async (plugin: PluginInstance, exchange: Exchange): Promise<object> => {
  if (plugin.explain === undefined) return {};
  try {
    return { says: await plugin.explain(exchange) };
  } catch (thrown) {
    return { failed: toGatewayError(thrown).message };
  }
};

/**
 * What would become of a request: who calls, its route, the plugins in their order and what they say (every limit among it), the targets in
 * their order, prices and the estimate.
 * @param start what serves the configuration; asked with the first question
 */
export const createExplain = ({ loaded, table, clock }: Pick<Runtime, 'loaded' | 'table' | 'clock'>, start: () => Promise<Serving>): Explain => {
  const { extensions, config } = loaded;
  return async (question) => {
    const { caller, origin, id } = await findKey({ organizations: config.organizations, table, clock }, question);
    const serving = await start();
    const { exchange, wire, paths } = await makeExchange(serving, question, caller);
    const plugins = extensions.plugins.map(async ({ use, source }, index) => {
      const plugin = serving.plugins[index] ?? {};
      return { use, origin: source, phases: phases.filter((phase) => plugin[phase] !== undefined), ...(await askPlugin(plugin, exchange)) };
    });
    const { key, organization, project, models } = caller;
    return {
      key: { name: key, organization, project, origin, ...(id === undefined ? {} : { id }), models: models.length === 0 ? 'all' : models },
      model: { id: exchange.model, ...(question.model === exchange.model ? {} : { alias: question.model }) },
      route: { wire, operation: exchange.operation, paths, losses: exchange.losses },
      request: { body: question.body === undefined ? 'a small request' : 'as given', estimate: exchange.estimate },
      plugins: await Promise.all(plugins),
      targets: exchange.targets.map((target) => describeTarget(exchange, target)),
    };
  };
};
