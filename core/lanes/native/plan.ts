import type { Operation } from '../../canonical/wire.ts';
import type { NativePlan } from '../../contracts/native.ts';
import type { AttemptOf } from '../../contracts/exchange.ts';
import type { Channel } from '../channel.ts';
import { countCalls } from '../translated/fan-out.ts';

/** Why an attempt cannot take the native lane. */
export type Obstacle = 'other-wire' | 'changed-request' | 'plugin-fits' | 'several-calls' | 'no-plan';

/**
 * The lane rule, in one place: native when the wires are equal, the request object is untouched, no plugin fit takes part, one call answers it
 * and the wire has a plan for it.
 * @throws GatewayError `unsupported_parameter` for more answers than calls may be made for
 */
export function planNative<O extends Operation>(
  { operation, exchange, wire, request }: AttemptOf<O>,
  { pluginFits, profile, upstream }: Channel<O>,
): NativePlan | Obstacle {
  if (exchange.route.wire !== wire) return 'other-wire';
  if (request !== exchange.request) return 'changed-request';
  if (pluginFits) return 'plugin-fits';
  if (operation === 'generate' && 'choices' in request && countCalls(request, profile, profile.traits) > 1)
    return 'several-calls';
  return upstream.native?.(exchange.inbound, request, profile) ?? 'no-plan';
}
