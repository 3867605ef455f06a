import type { WireName } from '../canonical/wire.ts';
import type { Exchange, Target } from '../contracts/exchange.ts';
import { GatewayError } from '../errors.ts';

/** Which wire to speak to a target: the configuration's, else the endpoint's choice, else the client's own if spoken, else the first. */
export const chooseWire = (exchange: Exchange, target: Target): WireName => {
  if (target.wire !== undefined) return target.wire;
  const { endpoint } = target;
  const clientWire = exchange.route.wire;
  if (endpoint.choose !== undefined && exchange.operation === 'generate') return endpoint.choose(exchange.request, clientWire);
  const spoken = endpoint.speaks.filter(({ operation }) => operation === exchange.operation);
  const wire = spoken.find((speech) => speech.wire === clientWire)?.wire ?? spoken[0]?.wire;
  if (wire === undefined) throw new GatewayError('unsupported_parameter', `${target.id} does not serve the operation '${exchange.operation}'.`);
  return wire;
};
