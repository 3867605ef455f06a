import { isObject } from '../../canonical/json/members.ts';
import type { Reply } from '../../contracts/attempt.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { describeValue } from './hook.ts';

/** What is wrong with a reply, to complete `it returned …`; undefined: nothing. */
export function checkReply(reply: Reply): string | undefined {
  const given: unknown = reply;
  if (!isObject(given) || typeof given['deliver'] !== 'function' || typeof given['cancel'] !== 'function')
    return `${describeValue(given)}, not a reply`;
  const { status, losses, headers } = given;
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599)
    return `a reply whose status is ${describeValue(status)}, not an HTTP status`;
  if (!Array.isArray(losses)) return `a reply whose losses are ${describeValue(losses)}`;
  return isObject(headers) ? undefined : `a reply whose headers are ${describeValue(headers)}`;
}

/** Releases the upstream of a reply that is not passed on. */
export const dropReply = (reply: Reply): void =>
  reply.cancel(new GatewayError('internal_error', 'The reply was not passed on.'));
