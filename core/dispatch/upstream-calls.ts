import type { CallRecord } from '../contracts/attempt-record.ts';
import type { Usage } from '../canonical/usage.ts';

const isSuccess = ({ status }: CallRecord): boolean => status >= 200 && status < 300;

/** The upstream status of an attempt: of several calls the first failure, else the last; 0 without a response. */
export function statusOfCalls(calls: readonly CallRecord[]): number {
  let status = 0;
  for (const call of calls) if (call.status !== 0 && status < 400) status = call.status;
  return status;
}

/**
 * The calls that are charged although nothing of them was delivered, each with the usage that it reported: those with a
 * successful status, and, if the client left, those that were in flight.
 */
export const listBilledCalls = (calls: readonly CallRecord[], left: boolean): readonly (Usage | undefined)[] =>
  calls.filter((call) => isSuccess(call) || (left && call.status === 0)).map(({ usage }) => usage);
