import type { Codec, ClientSide, NativePlan } from '../contracts/codec.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import type { Attempt } from '../contracts/exchange.ts';
import type { Framing } from '../contracts/framing.ts';
import type { Send } from '../contracts/plugin.ts';
import type { Clock } from '../contracts/services.ts';
import { GatewayError } from '../errors.ts';
import { mediaFit } from '../fits/media.ts';
import type { Channel, FindChannel } from './channel.ts';
import { sendNative } from './native.ts';
import { newId } from './new-id.ts';
import { sendTranslated, type ClientHalf } from './translated.ts';

export interface LaneParts {
  readonly findChannel: FindChannel;
  readonly clock: Clock;
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
  framing(name: string): Framing | undefined;
}

/**
 * The lane rule, in one place: native when the wires are equal, the request object is untouched, no plugin fit takes part
 * and the wire has a plan for it.
 */
const planNative = (attempt: Extract<Attempt, { operation: 'generate' }>, channel: Channel<'generate'>): NativePlan | undefined => {
  const { exchange, wire, request } = attempt;
  if (exchange.route.wire !== wire || request !== exchange.request || channel.pluginFits) return undefined;
  return channel.upstream.native?.(exchange.inbound, request, channel.profile);
};

/** The innermost Send: chooses the lane of an attempt and takes it. */
export const createLane = ({ findChannel, clock, codec, framing }: LaneParts): Send => {
  const clientFraming = (name: string): Framing => {
    const found = framing(name);
    if (found === undefined) throw new GatewayError('internal_error', `No framing is called ${name}.`);
    return found;
  };
  const clientHalf = (attempt: Extract<Attempt, { operation: 'generate' }>): ClientHalf => {
    const { route, estimate, framing: name } = attempt.exchange;
    const half: ClientSide<'generate'> | undefined = codec('generate', route.wire as WireName)?.client;
    if (half === undefined) throw new GatewayError('internal_error', `${route.wire} is not spoken to clients.`);
    const context = { created: Math.floor(clock.now() / 1_000), newId, inputEstimate: estimate.inputTokens };
    return { codec: half, framing: clientFraming(name), context };
  };
  return async (attempt) => {
    if (attempt.operation !== 'generate') throw new GatewayError('unsupported_parameter', `The operation '${attempt.operation}' is not served here.`);
    const channel = findChannel(attempt.target, attempt.operation, attempt.wire);
    const plan = planNative(attempt, channel);
    if (plan === undefined) return sendTranslated(attempt, channel, clientHalf(attempt));
    // The one rule that holds on both lanes: a model known to be blind would answer all the same.
    void mediaFit.fit(attempt.request, channel.profile, { lose: () => {}, signal: attempt.signal });
    return sendNative(attempt, channel, plan, clientFraming(attempt.exchange.framing));
  };
};
