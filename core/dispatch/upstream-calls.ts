import type { CallRecord } from '../contracts/exchange.ts';
import type { Usage } from '../canonical/usage.ts';

const isSuccess = ({ status }: CallRecord): boolean => status >= 200 && status < 300;

/** The upstream status of an attempt: of several responses that of the first failure, else of the last; 0 where none arrived. */
export function statusOfCalls(calls: readonly CallRecord[]): number {
  let status = 0;
  for (const call of calls) if (call.status !== 0 && status < 400) status = call.status;
  return status;
}

/**
 * The calls that must be paid although nothing of them was delivered, each with what it had reported: those that began
 * to answer well, and, where the client left, those that were in flight.
 */
export const listPaidCalls = (calls: readonly CallRecord[], left: boolean): readonly (Usage | undefined)[] =>
  calls.filter((call) => isSuccess(call) || (left && call.status === 0)).map(({ usage }) => usage);
