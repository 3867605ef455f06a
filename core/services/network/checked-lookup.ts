import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Gives every address of a name, as `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A lookup for connections. It gives addresses only when all of the name's addresses are permitted: what is checked is what is connected to,
 * and a second resolution, which could give others, does not exist.
 * @param refuse makes the error of a name that leads elsewhere, or nowhere
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
