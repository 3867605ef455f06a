import type { Model } from '../../catalog/catalog.ts';
import { describePath } from '../../config/describe-path.ts';
import type { GatewayConfig, RouteConfig } from '../../config/gateway-config.ts';
import type { Finding } from '../../config/problem.ts';
import { operationsOf } from './wires.ts';

/** Tokens can be counted without the target. */
const isAnswered = (model: Model, { wire, operation }: RouteConfig): boolean =>
  model.serves(wire) &&
  (operation === 'count-tokens' ||
    model.targets.some((target) => operationsOf(target).some((spoken) => spoken === operation)));

/** Routes that no model can be asked on, and models that no route leads to. A file without models is not ready to be judged. */
export function findUnreachable(
  { routes }: Pick<GatewayConfig, 'routes'>,
  models: readonly Model[],
): readonly Finding[] {
  if (models.length === 0) return [];
  const asked = routes.map((route, index) => ({ route, index })).filter(({ route }) => route.operation !== 'models');
  const barren = asked
    .filter(({ route }) => !models.some((model) => isAnswered(model, route)))
    .map(({ route, index }): Finding => ({
      path: ['routes', index],
      severity: 'warning',
      rule: 'unreachable-route',
      message: `No model can be asked on ${route.path}: none of them ${route.operation === 'embed' ? 'embeds and ' : ''}is open to ${route.wire}.`,
    }));
  const hidden = models
    .filter(({ targets }) => targets.length > 0)
    .filter((model) => !asked.some(({ route }) => isAnswered(model, route)))
    .map(({ id, entry }): Finding => ({
      path: ['models', id],
      on: 'key',
      severity: 'warning',
      rule: 'unreachable-model',
      message: `No route leads to ${describePath(['models', id])}: it is open to ${entry.wires.join(', ')}, and no route of these wires can ask for what its targets do.`,
    }));
  return [...barren, ...hidden];
}
