import { hash } from 'node:crypto';
import type { AdminRequest } from '../../contracts/admin.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** Identifies a state, so that a log line can be compared with what a call returns. */
export const fingerprint = (state: unknown): string => hash('sha256', JSON.stringify(state)).slice(0, 16);

/** A strong entity tag, which `If-Match` requires. */
export const tagOf = (hash: string): string => `"${hash}"`;

/** Whether the request has an `If-Match`. */
export const isConditional = ({ headers }: Pick<AdminRequest, 'headers'>): boolean => headers['if-match'] !== undefined;

/**
 * Compares `If-Match` with the current entity tag.
 * @param what the beginning of the message: `The key k1 is`
 * @param look the call that returns the current state
 * @throws GatewayError `precondition_failed` if the caller has seen another state
 */
export function checkMatch({ headers }: Pick<AdminRequest, 'headers'>, tag: string, what: string, look: string): void {
  const expected = headers['if-match'];
  if (expected === undefined || expected.split(',').some((each) => ['*', tag].includes(each.trim()))) return;
  throw new GatewayError(
    'precondition_failed',
    `${what} ${tag}, not the one of If-Match. Read it again (${look}) and decide anew; nothing was changed.`,
  );
}
