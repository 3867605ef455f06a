import type { AdminRequest } from '../../contracts/admin.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** An entity tag: strong, as `If-Match` wants it. */
export const tagOf = (hash: string): string => `"${hash}"`;

/** Does the caller know what is there? Who says nothing about it does not ask. */
export const isConditional = ({ headers }: Pick<AdminRequest, 'headers'>): boolean => headers['if-match'] !== undefined;

/**
 * @param what begins the sentence: `The key k1 is`
 * @param look where it can be looked at anew
 * @throws GatewayError `precondition_failed` where the caller has seen something else than this
 */
export function checkMatch({ headers }: Pick<AdminRequest, 'headers'>, tag: string, what: string, look: string): void {
  const expected = headers['if-match'];
  if (expected === undefined || expected.split(',').some((each) => ['*', tag].includes(each.trim()))) return;
  throw new GatewayError(
    'precondition_failed',
    `${what} ${tag}, and not the one of If-Match. Look at it anew (${look}) and decide again; nothing was changed.`,
  );
}
