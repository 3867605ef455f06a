import { isObject } from '../../canonical/json/members.ts';
import type { Ending } from '../../contracts/attempt-record.ts';
import type { Observed, Tap } from '../../contracts/native.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { ChannelParts } from '../../lanes/channel.ts';
import { describeEnding } from '../../lanes/ending.ts';
import type { UnpackedExchange } from './packed-exchange.ts';

/** The tap that reads the response, also if the configuration no longer has its model; undefined: its wire has none. */
export function tapOf(
  { exchange: { route, inbound, request }, target }: UnpackedExchange,
  codec: ChannelParts['codec'],
): Tap | undefined {
  const { wire } = route;
  const { upstream, traits = {} } = codec('generate', wire) ?? {};
  const { provider, model, endpoint } = target;
  const profile = { provider, model, wire, origin: { ...endpoint.origin, provider }, capabilities: {}, traits };
  return upstream?.native?.(inbound, request, profile)?.tap();
}

/**
 * How a response ended by what was seen of it. One that ended without an error of the vendor, and not as a whole, was
 * cancelled: it is charged like one whose client has left.
 */
export const endingOf = (seen: Observed, hasError: boolean): Ending =>
  describeEnding(
    seen,
    seen.error === undefined || hasError
      ? seen.error
      : new GatewayError('client_closed', 'The response was cancelled.'),
  );

/** How the response ended by its object; undefined: the vendor continues it. */
export function readEnd(body: unknown, tap: Tap): Ending | undefined {
  if (!isObject(body)) return undefined;
  tap.inspectBody(body);
  const { observed } = tap;
  if (observed.finish?.unfinished === true) return undefined;
  if (observed.error === undefined && observed.finish === undefined) return undefined;
  return endingOf(observed, isObject(body['error']));
}

/** The ending of a response whose end was not seen: what was reserved is charged. */
export const lostEnding: Ending = {
  reason: 'unfinished',
  usage: undefined,
  finish: { reason: 'pause', unfinished: true },
  outputChars: 0,
};
