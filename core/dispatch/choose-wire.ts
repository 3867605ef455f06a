import { operations } from '../canonical/operation/operations.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import type { Exchange } from '../contracts/exchange.ts';
import type { Target } from '../contracts/target.ts';
import { GatewayError } from '../errors/gateway-error.ts';

/**
 * Chooses the wire for a target: the one of the configuration, else the endpoint's choice, else the client's wire if
 * the target speaks it, else the target's first.
 * @throws GatewayError `unsupported_parameter` if the target serves neither the operation nor its
 * substitute. An estimate needs no target.
 */
export function chooseWire(exchange: Exchange, target: Target): WireName {
  const { endpoint, wire: pinned } = target;
  const { route } = exchange;
  const { substitute } = operations[exchange.operation];
  const operation =
    substitute === 'generate' && firstWire(endpoint, exchange.operation) === undefined
      ? substitute
      : exchange.operation;
  if (pinned !== undefined && (operation === 'generate' || speaks(endpoint, operation, pinned))) return pinned;
  if (endpoint.chooseWire !== undefined && operation === 'generate' && 'turns' in exchange.request)
    return endpoint.chooseWire(exchange.request, route.wire);
  if (speaks(endpoint, operation, route.wire)) return route.wire;
  const wire = firstWire(endpoint, operation);
  if (wire !== undefined) return wire;
  if (substitute === 'estimate') return route.wire;
  throw new GatewayError('unsupported_parameter', `${target.id} does not serve the operation '${operation}'.`);
}

const speaks = ({ wires }: Target['endpoint'], operation: Operation, wire: WireName): boolean => {
  for (const served of wires) if (served.operation === operation && served.wire === wire) return true;
  return false;
};

const firstWire = ({ wires }: Target['endpoint'], operation: Operation): WireName | undefined => {
  for (const served of wires) if (served.operation === operation) return served.wire;
  return undefined;
};
