import type { SpendingQuery } from '../../../core/api/index.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { readSpent } from './spent.ts';
import { readReport, type ReportQuery } from './report.ts';
import { findRequest, search } from './search.ts';
import type { SearchQuery } from './search-query.ts';

/** The queries that a thread of the ledger runs, by name. */
export const queries = {
  request: (database: LedgerDatabase, query: { readonly id: string }) => findRequest(database, query),
  requests: (database: LedgerDatabase, query: SearchQuery) => search(database, query),
  spent: (database: LedgerDatabase, query: SpendingQuery) => readSpent(database, query),
  report: (database: LedgerDatabase, query: ReportQuery) => readReport(database, query),
};
export type Queries = typeof queries;
export type QueryResult<Name extends keyof Queries> = Awaited<ReturnType<Queries[Name]>>;

/** Runs a query off the event loop. @throws GatewayError KOINE_STORE_FAILED when the database does not respond */
export type QueryLedger = <Name extends keyof Queries>(
  name: Name,
  parameters: Parameters<Queries[Name]>[1],
) => Promise<QueryResult<Name>>;
