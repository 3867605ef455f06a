import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

export const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Unwraps an IPv4 address that is mapped to IPv6: `::ffff:10.0.0.1`. */
export const normalise = (address: string): string =>
  /^::ffff:/i.test(address) && address.includes('.') ? address.slice(7) : address;

/** Some proxies add the port: `198.51.100.1:4711`, `[2001:db8::5]:4711`. */
const withoutPort = (hop: string): string =>
  /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/
    .exec(hop)
    ?.slice(1)
    .find((address) => address !== undefined) ?? hop;

export function compileRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

export type ReadAddress = (request: IncomingMessage) => string;

/**
 * The client's address. `x-forwarded-for` counts only from a trusted proxy: read from the right, the first entry that
 * is not a trusted proxy is the client. If that entry is not an address, the client can have written it, and the
 * address of the peer is used.
 * @param ranges addresses and CIDR ranges of the trusted proxies
 */
export function createAddressReader(ranges: readonly string[]): ReadAddress {
  const peerOf: ReadAddress = ({ socket }) => normalise(socket.remoteAddress ?? '');
  if (ranges.length === 0) return peerOf;
  const proxies = compileRanges(ranges);
  const isTrusted = (address: string): boolean => isIP(address) !== 0 && proxies.check(address, familyOf(address));
  return (request) => {
    const peer = peerOf(request);
    const forwarded = request.headers['x-forwarded-for'];
    if (forwarded === undefined || !isTrusted(peer)) return peer;
    const hops = (typeof forwarded === 'string' ? forwarded : forwarded.join(','))
      .split(',')
      .map((hop) => normalise(withoutPort(hop.trim())))
      .filter((hop) => hop !== '')
      .reverse();
    const client = hops.find((hop) => !isTrusted(hop));
    return client === undefined || isIP(client) === 0 ? peer : client;
  };
}
