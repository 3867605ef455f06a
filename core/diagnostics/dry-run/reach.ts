import { operations } from '../../canonical/operation/operations.ts';
import type { Model } from '../../catalog/catalog.ts';
import { describePath } from '../../config/describe-path.ts';
import type { GatewayConfig, RouteConfig } from '../../config/gateway-config.ts';
import type { Finding } from '../../config/problem.ts';
import { operationsOf } from './wires.ts';

/**
 * Tokens can be counted without a target that counts: the gateway estimates them. Agents try to compact, and go on
 * without.
 */
const isServed = (model: Model, { wire, operation }: RouteConfig): boolean =>
  model.serves(wire) &&
  ((operation !== 'models' && operations[operation].substitute !== undefined) ||
    model.targets.some((target) => operationsOf(target).some((own) => own === operation)));

/** What a model must do beside being open to a wire, where that is not what most models do. */
const describeNeed = (operation: RouteConfig['operation']): string =>
  operation === 'models' || operation === 'generate' || operations[operation].substitute !== undefined
    ? ''
    : `${operations[operation].verb} and `;

/** Routes that no model serves, and models that no route leads to. A file without models is not checked. */
export function* findUnreachable(
  { routes }: Pick<GatewayConfig, 'routes'>,
  models: readonly Model[],
): Iterable<Finding> {
  if (models.length === 0) return;
  for (const [index, route] of routes.entries()) {
    if (route.operation === 'models' || models.some((model) => isServed(model, route))) continue;
    const need = describeNeed(route.operation);
    const message = `No model serves ${route.path}: none of them ${need}is open to ${route.wire}.`;
    yield { path: ['routes', index], severity: 'warning', rule: 'unreachable-route', message };
  }
  for (const model of models) {
    if (model.targets.length === 0) continue;
    if (routes.some((route) => route.operation !== 'models' && isServed(model, route))) continue;
    const path = ['models', model.id];
    const message =
      `No route leads to ${describePath(path)}: it is open to ${model.entry.wires.join(', ')}, ` +
      'and no route of these wires is for an operation of its targets.';
    yield { path, on: 'key', severity: 'warning', rule: 'unreachable-model', message };
  }
}
