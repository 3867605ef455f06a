import type { WireName } from '../canonical/wire.ts';
import type { Exchange, Target } from '../contracts/exchange.ts';
import { GatewayError } from '../errors/gateway-error.ts';

/**
 * Chooses the wire for a target: the one of the configuration, else the endpoint's choice, else the client's wire if
 * the target speaks it, else the target's first.
 * @throws GatewayError `unsupported_parameter` if the target does not serve the operation. Counting tokens never
 * throws, since the gateway can estimate. A target that cannot compact a conversation can summarise it.
 */
export function chooseWire(exchange: Exchange, target: Target): WireName {
  const { endpoint, wire: pinned } = target;
  const { route } = exchange;
  const canCompact = endpoint.wires.some(({ operation: served }) => served === 'compact');
  const operation = exchange.operation === 'compact' && !canCompact ? 'generate' : exchange.operation;
  const wires = endpoint.wires.filter(({ operation: served }) => served === operation).map(({ wire }) => wire);
  if (pinned !== undefined && (operation === 'generate' || wires.includes(pinned))) return pinned;
  if (endpoint.chooseWire !== undefined && operation === 'generate' && 'turns' in exchange.request)
    return endpoint.chooseWire(exchange.request, route.wire);
  const wire = wires.includes(route.wire) ? route.wire : wires[0];
  if (wire !== undefined) return wire;
  if (operation === 'count-tokens') return route.wire;
  throw new GatewayError('unsupported_parameter', `${target.id} does not serve the operation '${operation}'.`);
}
