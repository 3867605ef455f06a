import { isIP, type LookupFunction } from 'node:net';
import { createCheckedLookup, type Resolve } from '../network/checked-lookup.ts';
import { isAllowableAddress, isPublicAddress } from './addresses.ts';

export type { Resolve };

/** Why a URL is not fetched. The client is never told which of these it was: it would learn what stands behind our address. */
export class BlockedUrl extends Error {
  override readonly name = 'BlockedUrl';
}

/** What may be connected to for one URL. */
export interface Passage {
  readonly url: URL;
  /** Gives an address to connect to only when all of the name's addresses may be: what is checked is what is connected to. */
  readonly lookup: LookupFunction;
}

export interface GuardOptions {
  /** Origins (`http://files.internal:9000`) that may be fetched from although they are not public, not https or not on port 443. */
  readonly allow: readonly string[];
  readonly resolve?: Resolve;
}

const unbracket = (hostname: string): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname);

/** An address in decimal, octal or hexadecimal disguise is nothing that a person wrote. */
const isDisguised = (text: string, { hostname, host }: URL, base: URL | undefined): boolean =>
  isIP(hostname) === 4 && host !== base?.host && !text.includes(hostname);

const checkUrl = (text: string, url: URL, base: URL | undefined, isAllowed: boolean): void => {
  if (url.username !== '' || url.password !== '') throw new BlockedUrl('the URL holds a user name or password');
  if (isAllowed) return;
  if (url.protocol !== 'https:') throw new BlockedUrl('the URL is not https');
  if (url.port !== '') throw new BlockedUrl('the URL names another port than 443');
  if (isDisguised(text, url, base)) throw new BlockedUrl('the host is an address in disguise');
};

/**
 * Made once per provider. A URL is parsed once, and the result is used throughout; a name is resolved by the connection itself, and its
 * addresses are checked there: a second resolution, which could give others, does not exist.
 */
export function createGuard({ allow, resolve }: GuardOptions): (text: string, base?: URL) => Passage {
  const allowed = new Set(allow.map((origin) => new URL(origin).origin));
  return (text, base) => {
    if (!URL.canParse(text, base?.href)) throw new BlockedUrl('the URL cannot be parsed');
    const url = new URL(text, base);
    const isAllowed = allowed.has(url.origin);
    checkUrl(text, url, base, isAllowed);
    const permits = isAllowed ? isAllowableAddress : isPublicAddress;
    const host = unbracket(url.hostname);
    // An address is connected to without a lookup.
    if (isIP(host) !== 0 && !permits(host)) throw new BlockedUrl('the address is not public');
    const lookup = createCheckedLookup(
      permits,
      () => new BlockedUrl('the name leads to an address that is not public'),
      resolve,
    );
    return { url, lookup };
  };
}
