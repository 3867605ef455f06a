import type { Operation } from '../../canonical/wire.ts';
import type { NativePlan } from '../../contracts/native.ts';
import type { AttemptOf } from '../../contracts/attempt.ts';
import { unsupportedParameter } from '../../fits/support/unsupported.ts';
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
  | 'no-stream'
  | 'no-plan';

const describeObstacle = (obstacle: Obstacle | undefined): string => {
  if (obstacle === 'guarded') return 'a plugin of the gateway inspects responses, and would not see this one';
  return obstacle === undefined || obstacle === 'other-wire' || obstacle === 'stateless'
    ? 'it does not offer that to the gateway'
    : 'a plugin of the gateway changes what is sent or received';
};

/** A response that the vendor continues after its call is retrieved as the vendor wrote it. */
const checkBackground = <O extends Operation>(
  { request, target }: AttemptOf<O>,
  { endpointWire }: Channel<O>,
  plan: NativePlan | Obstacle,
): void => {
  if (!('deferred' in request) || request.deferred === undefined) return;
  const obstacle = typeof plan === 'string' ? plan : undefined;
  if (obstacle === undefined && endpointWire.background === true) return;
  throw unsupportedParameter(
    request.deferred,
    `'${request.deferred}' has the provider continue the response after the request, which ${target.id} cannot do: ` +
      `${describeObstacle(obstacle)}. Leave it out, with 'stream' for a long response, or choose another model.`,
  );
};

/**
 * Plans an attempt, and refuses background responses where they are not possible.
 * @throws GatewayError `unsupported_parameter` also if more calls would be needed than are allowed
 */
export function planNative<O extends Operation>(
  attempt: AttemptOf<O>,
  channel: Channel<O>,
  isGuarded: boolean,
): NativePlan | Obstacle {
  const plan = choosePlan(attempt, channel, isGuarded);
  checkBackground(attempt, channel, plan);
  return plan;
}

/**
 * The lane rule: native if client and target speak the same wire, no plugin has replaced the request, it refers to
 * nothing that the server does not hold, no fit of a plugin applies, no guard inspects the response, one upstream call
 * is enough, the server streams what is to be streamed, and the wire has a plan.
 * @throws GatewayError `unsupported_parameter` if more calls would be needed than are allowed
 */
function choosePlan<O extends Operation>(
  { operation, exchange, wire, request }: AttemptOf<O>,
  { pluginFits, profile, upstream, endpointWire }: Channel<O>,
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
  if (endpointWire.streams === false && 'stream' in request && request.stream) return 'no-stream';
  return upstream.native?.(exchange.inbound, request, profile) ?? 'no-plan';
}
