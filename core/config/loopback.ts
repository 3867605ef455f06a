import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether a name or an address is only reachable from this machine. IPv6 without brackets. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || (isIP(host) !== 0 && loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'));
