import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Resolves a name to all of its addresses, like `dns.lookup`. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A lookup for connections that succeeds only if every address of the name is permitted. The checked addresses are the
 * ones connected to: there is no second resolution that could return others.
 * @param refuse creates the error for a name that has a forbidden address, or none
 */
export const createCheckedLookup =
  (permits: (address: string) => boolean, refuse: () => Error, resolve: Resolve = systemLookup): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) done(error, '');
      else if (first === undefined || !addresses.every(({ address }) => permits(address))) done(refuse(), '');
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
