import { isObject } from '../../canonical/json/members.ts';
import type { Ending } from '../../contracts/attempt-record.ts';
import type { Observed, Tap } from '../../contracts/native.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { FindChannel } from '../../lanes/channel.ts';
import { describeEnding } from '../../lanes/ending.ts';
import type { UnpackedExchange } from './packed-exchange.ts';

/** The tap of the wire that reads the response. @throws GatewayError if the target is gone from the configuration */
export function tapOf({ exchange, target }: UnpackedExchange, findChannel: FindChannel): Tap | undefined {
  const { upstream, profile } = findChannel<'generate'>(target, 'generate', exchange.route.wire);
  return upstream.native?.(exchange.inbound, exchange.request, profile)?.tap();
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
