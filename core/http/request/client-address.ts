import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

export const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** `::ffff:10.0.0.1` is the IPv4 address that it wraps. */
export const normalise = (address: string): string =>
  /^::ffff:/i.test(address) && address.includes('.') ? address.slice(7) : address;

/** Some proxies write the port as well: `198.51.100.1:4711`, `[2001:db8::5]:4711`. */
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
 * The client's address. `x-forwarded-for` is believed only where a trusted proxy wrote it: read from the right, the first address
 * that is not a trusted proxy is the client. Where it is not an address, what stands left of it may be the client's own words: the peer it is.
 * @param ranges addresses and CIDR ranges of the proxies
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
