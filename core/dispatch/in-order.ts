import type { Exchange } from '../contracts/exchange.ts';
import type { Target } from '../contracts/target.ts';
import type { Order, Strategy } from '../contracts/attempt.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import { GatewayError, toGatewayError } from '../errors/gateway-error.ts';

const describeUnavailable = (exchange: Exchange, targets: readonly Target[]): GatewayError => {
  const reasons = targets.map(({ id, unavailable }) => `${id}: ${unavailable ?? 'no credential can be used'}`);
  return new GatewayError(
    'no_target_available',
    `No provider of ${exchange.model} is available (${reasons.join('; ')}).`,
  );
};

/** The first credential; for what is stored at a vendor, the one that it was created with. */
const selectCredential = ({ stored }: Exchange, { provider, credentials }: Target): string | undefined => {
  const place = stored?.place;
  if (place === undefined) return credentials[0];
  return place.provider === provider && credentials.includes(place.credential) ? place.credential : undefined;
};

/** Calls the `order` hooks of plugins one after the other. @returns undefined if no plugin has one */
export const composeOrder = (plugins: readonly PluginInstance[]): Order | undefined => {
  const hooks = plugins.flatMap(({ order }) => order ?? []);
  return hooks.length === 0
    ? undefined
    : (exchange, targets) => hooks.reduce((ordered, order) => order(exchange, ordered), targets);
};

const sortTargets = (exchange: Exchange, order: Order | undefined): readonly Target[] => {
  if (order === undefined) return exchange.targets;
  const ranked = exchange.targets.map((target) => ({ target, state: 'ready' as const }));
  return order(exchange, ranked).map(({ target }) => target);
};

/**
 * The strategy of a gateway that has no strategy plugin: the first target that has a credential and can serve the
 * request. A failure of the upstream is final. Only an unsuitable target leads to the next one, since nothing was sent.
 */
export const inOrder: Strategy = async (exchange, attempt, order) => {
  let unsuitable: GatewayError | undefined;
  for (const target of sortTargets(exchange, order)) {
    const credential = selectCredential(exchange, target);
    if (credential === undefined) continue;
    try {
      return await attempt(target, credential);
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (error.failure !== 'unsuitable') throw error;
      unsuitable ??= error;
    }
  }
  throw unsuitable ?? describeUnavailable(exchange, exchange.targets);
};
