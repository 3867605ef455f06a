import type { LedgerTable } from '../tables.ts';

/** What a search can be restricted to by dimension. */
export const searchDimensions = ['organization', 'project', 'key', 'model', 'provider'] as const;

/** A search for requests. Each list has the accepted values; an absent one accepts all. Times are unix milliseconds. */
export interface SearchQuery {
  readonly from?: number;
  /** Exclusive. */
  readonly to?: number;
  /** Keys and projects by name or by path: `acme/web/alice`. */
  readonly dimensions: Partial<Record<(typeof searchDimensions)[number], readonly string[]>>;
  readonly users?: readonly string[];
  readonly outcomes?: readonly NonNullable<LedgerTable['outcome']>[];
  readonly codes?: readonly string[];
  readonly statuses?: readonly number[];
  readonly minDurationMs?: number;
  /** Nano-dollars. */
  readonly minCost?: number;
  readonly tags: readonly { readonly name: string; readonly value: string }[];
  readonly limit: number;
  /** Only rows after this one, in the order of the search. */
  readonly after?: SearchCursor;
}

/** A position in the order of the search: by time, the newest first, then by id. */
export interface SearchCursor {
  /** When the request ended, or, as long as it is open, when it began. */
  readonly at: number;
  readonly id: string;
}

export interface SearchResult {
  readonly rows: readonly LedgerTable[];
  /** Where the search continues; absent: there are no more rows. */
  readonly next?: SearchCursor;
}
