import { isObject } from '../../canonical/members.ts';
import type { Reply } from '../../contracts/reply.ts';
import { GatewayError } from '../../errors.ts';
import { describeValue } from './describe.ts';

/** What is wrong with a reply, as in `it answered …`. */
export const checkReply = (reply: Reply): string | undefined => {
  const given: unknown = reply;
  return isObject(given) && typeof given['deliver'] === 'function' && typeof given['cancel'] === 'function' ? undefined : `${describeValue(given)}, and no reply`;
};

/** Releases the upstream of a reply that nobody hands on. */
export const dropReply = (reply: Reply): void => reply.cancel(new GatewayError('internal_error', 'The answer was not handed on.'));
