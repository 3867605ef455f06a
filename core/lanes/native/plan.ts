import type { Operation } from '../../canonical/wire.ts';
import type { NativePlan } from '../../contracts/native.ts';
import type { AttemptOf } from '../../contracts/attempt.ts';
import type { Channel } from '../channel.ts';
import { countCalls } from '../translated/fan-out.ts';

/** The reason why an attempt cannot take the native lane. */
export type Obstacle =
  | 'other-wire'
  | 'changed-request'
  | 'stateless'
  | 'plugin-fits'
  | 'guarded'
  | 'several-calls'
  | 'no-plan';

/**
 * The lane rule: native if client and target speak the same wire, no plugin has replaced the request, it refers to
 * nothing that the server does not hold, no fit of a plugin applies, no guard inspects the response, one upstream call
 * is enough, and the wire has a plan.
 * @throws GatewayError `unsupported_parameter` if more calls would be needed than are allowed
 */
export function planNative<O extends Operation>(
  { operation, exchange, wire, request }: AttemptOf<O>,
  { pluginFits, profile, upstream }: Channel<O>,
  isGuarded: boolean,
): NativePlan | Obstacle {
  if (exchange.route.wire !== wire) return 'other-wire';
  if (request !== exchange.request || exchange.isRewritten === true) return 'changed-request';
  // The translated lane refuses the reference.
  if (profile.stateless === true && 'vendorState' in request && request.vendorState !== undefined) return 'stateless';
  if (pluginFits) return 'plugin-fits';
  if (isGuarded) return 'guarded';
  if (operation === 'generate' && 'choices' in request && countCalls(request, profile, profile.traits) > 1)
    return 'several-calls';
  return upstream.native?.(exchange.inbound, request, profile) ?? 'no-plan';
}
