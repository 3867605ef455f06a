import type { RequestHead } from '../contracts/exchange.ts';

/** A key in the query has done its work once the caller is known; nothing further in may see it. */
export const withoutKey = (query: RequestHead['query']): RequestHead['query'] => {
  if (query['key'] === undefined) return query;
  const { key: _key, ...rest } = query;
  return rest;
};
