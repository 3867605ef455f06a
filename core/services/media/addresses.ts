import { BlockList, isIP } from 'node:net';
import { isMetadataAddress } from '../network/metadata-address.ts';

/**
 * https://www.iana.org/assignments/iana-ipv4-special-registry: everything that is not a public unicast address, and the
 * address of Azure's host services.
 */
const blocked4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Exceptions within the only public range: protocol assignments with Teredo, documentation, 6to4. */
const blocked6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const special = new BlockList();
for (const [net, prefix] of blocked4) special.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of blocked6) special.addSubnet(net, prefix, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether this is a public unicast address. IPv4 inside IPv6 (mapped, NAT64, 6to4) is outside of the public range, or
 * blocked with its range.
 */
export function isPublicAddress(address: string): boolean {
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 4) return !special.check(address, 'ipv4');
  return version === 6 && globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** Whether an address that the operator has allowed can be connected to: all but those that hand out credentials. */
export const isAllowableAddress = (address: string): boolean =>
  !address.includes('%') && isIP(address) !== 0 && !isMetadataAddress(address);
