import type { SpendingQuery } from '../../../core/index.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { readSpent } from './spent.ts';
import { readLatencies, readUsage, type UsageQuery } from './usage.ts';

/** What the ledger can be asked, in a thread of its own: {@link AskLedger}. */
export const questions = {
  spent: (database: LedgerDatabase, query: SpendingQuery) => readSpent(database, query),
  usage: (database: LedgerDatabase, query: UsageQuery) => readUsage(database, query),
  latencies: (database: LedgerDatabase, { shares, ...query }: UsageQuery & { readonly shares: readonly number[] }) =>
    readLatencies(database, query, shares),
};
export type Questions = typeof questions;

/** Asks the ledger without holding up the event loop. @throws GatewayError KOINE_STORE_FAILED where the database cannot be asked */
export type AskLedger = <Name extends keyof Questions>(
  question: Name,
  query: Parameters<Questions[Name]>[1],
) => Promise<Answer<Name>>;
export type Answer<Name extends keyof Questions> = Awaited<ReturnType<Questions[Name]>>;
