import { isIP, type LookupFunction } from 'node:net';
import { createCheckedLookup, type Resolve } from '../network/checked-lookup.ts';
import { isAllowableAddress, isPublicAddress } from './addresses.ts';

export type { Resolve };

/**
 * Why a URL is not fetched. The client does not learn the reason, which would reveal what is reachable from the
 * gateway.
 */
export class BlockedUrl extends Error {
  override readonly name = 'BlockedUrl';
}

/** The permitted connection for one URL. */
export interface Passage {
  readonly url: URL;
  /** Succeeds only if all addresses of the name are permitted: the checked addresses are the ones connected to. */
  readonly lookup: LookupFunction;
}

export interface UrlCheckOptions {
  /**
   * Origins (`http://files.internal:9000`) that are permitted although they are not public, not https or not on port
   * 443.
   */
  readonly allow: readonly string[];
  readonly resolve?: Resolve;
}

const unbracket = (hostname: string): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname);

/** People do not write addresses in decimal, octal or hexadecimal form. */
const isObfuscated = (text: string, { hostname, host }: URL, base: URL | undefined): boolean =>
  isIP(hostname) === 4 && host !== base?.host && !text.includes(hostname);

const checkUrl = (text: string, url: URL, base: URL | undefined, isAllowed: boolean): void => {
  if (url.username !== '' || url.password !== '') throw new BlockedUrl('the URL holds a user name or password');
  if (isAllowed) return;
  if (url.protocol !== 'https:') throw new BlockedUrl('the URL is not https');
  if (url.port !== '') throw new BlockedUrl('the URL names another port than 443');
  if (isObfuscated(text, url, base)) throw new BlockedUrl('the host is an address in an unusual notation');
};

/**
 * Created once per provider. A URL is parsed once, and the result is used throughout. A name is resolved by the
 * connection itself, which checks its addresses: there is no second resolution that could return others.
 */
export function createUrlCheck({ allow, resolve }: UrlCheckOptions): (text: string, base?: URL) => Passage {
  const allowed = new Set(allow.map((origin) => new URL(origin).origin));
  return (text, base) => {
    if (!URL.canParse(text, base?.href)) throw new BlockedUrl('the URL cannot be parsed');
    const url = new URL(text, base);
    const isAllowed = allowed.has(url.origin);
    checkUrl(text, url, base, isAllowed);
    const permits = isAllowed ? isAllowableAddress : isPublicAddress;
    const host = unbracket(url.hostname);
    // Connections to an IP address do not use the lookup.
    if (isIP(host) !== 0 && !permits(host)) throw new BlockedUrl('the address is not public');
    const lookup = createCheckedLookup(
      permits,
      () => new BlockedUrl('the name leads to an address that is not public'),
      resolve,
    );
    return { url, lookup };
  };
}
