import { readSpent } from './spent.ts';
import { readReport } from './report.ts';
import { findRequest, search } from './search.ts';

/** The queries that a thread of the ledger runs, by name. */
export const queries = {
  request: findRequest,
  requests: search,
  spent: readSpent,
  report: readReport,
};
export type Queries = typeof queries;
export type QueryResult<Name extends keyof Queries> = Awaited<ReturnType<Queries[Name]>>;

/** Runs a query off the event loop. @throws GatewayError KOINE_STORE_FAILED when the database does not respond */
export type QueryLedger = <Name extends keyof Queries>(
  name: Name,
  parameters: Parameters<Queries[Name]>[1],
) => Promise<QueryResult<Name>>;
