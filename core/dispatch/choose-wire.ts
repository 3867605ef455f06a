import type { WireName } from '../canonical/wire.ts';
import type { Exchange, Target } from '../contracts/exchange.ts';
import { GatewayError } from '../errors/gateway-error.ts';

/**
 * Which wire to speak to a target: the configuration's, else the endpoint's choice, else the client's own if spoken, else the first.
 * @throws GatewayError `unsupported_parameter` when the target does not serve the operation; tokens are then estimated, so counting never throws
 */
export function chooseWire(exchange: Exchange, target: Target): WireName {
  const { endpoint, wire: pinned } = target;
  const { operation, route } = exchange;
  const spoken = endpoint.wires.filter((speech) => speech.operation === operation).map(({ wire }) => wire);
  if (pinned !== undefined && (operation === 'generate' || spoken.includes(pinned))) return pinned;
  if (endpoint.chooseWire !== undefined && operation === 'generate')
    return endpoint.chooseWire(exchange.request, route.wire);
  const wire = spoken.includes(route.wire) ? route.wire : spoken[0];
  if (wire !== undefined) return wire;
  if (operation === 'count-tokens') return route.wire;
  throw new GatewayError('unsupported_parameter', `${target.id} does not serve the operation '${operation}'.`);
}
