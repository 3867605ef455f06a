import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { createCheckedLookup, type Resolve } from './checked-lookup.ts';

/** Where clouds hand out credentials to any caller on the machine, and all link-local IPv4, which has more of them in each cloud. */
const nets4 = [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
] as const;
const hosts6 = ['fd00:ec2::254', 'fd20:ce::254', 'fe80::a9fe:a9fe'] as const;
const names: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.azure.com',
  'metadata.tencentyun.com',
]);

const hex = (high: string | undefined, low: string | undefined): string =>
  (Number(high) * 256 + Number(low)).toString(16);

/**
 * The IPv6 nets that lead to an IPv4 net: NAT64 (both prefixes of RFC 8215), IPv4-compatible, SIIT and 6to4. BlockList takes mapped ones for
 * IPv4 by itself.
 */
const netsOf = (net: string, prefix: number): readonly (readonly [net: string, prefix: number])[] => {
  const [a, b, c, d] = net.split('.');
  const [high, low] = [hex(a, b), hex(c, d)];
  return [
    [`64:ff9b::${net}`, 96 + prefix],
    [`64:ff9b:1::${net}`, 96 + prefix],
    [`64:ff9b:1:${high}:${hex('0', c)}:${hex(d, '0')}::`, prefix === 32 ? 88 : 48 + prefix],
    [`::${net}`, 96 + prefix],
    [`::ffff:0:${net}`, 96 + prefix],
    [`2002:${high}:${low}::`, 16 + prefix],
  ];
};

const blocked = new BlockList();
for (const [net, prefix] of nets4) {
  blocked.addSubnet(net, prefix, 'ipv4');
  for (const [net6, prefix6] of netsOf(net, prefix)) blocked.addSubnet(net6, prefix6, 'ipv6');
}
for (const host of hosts6) blocked.addAddress(host, 'ipv6');

/** A host as the URL parser writes it, without brackets and a last dot: addresses in decimal, octal or hexadecimal are written out. */
export function normalizeHost(host: string): string {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}/`;
  const name = URL.canParse(url) ? new URL(url).hostname : host.toLowerCase();
  return name.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Is this an address at which a cloud hands out credentials? Also as IPv4 inside IPv6. */
export function isMetadataAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1);
  return isIP(plain) !== 0 && blocked.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

/** The same of a name or an address, in whatever spelling. What a name resolves to is not looked at. */
export function isMetadataHost(host: string): boolean {
  const name = normalizeHost(host);
  return names.has(name) || isMetadataAddress(name);
}

/** What connections of one provider may be made to. */
export interface MetadataGuard {
  /** An address is connected to without a lookup. */
  permits(host: string): boolean;
  /** Gives addresses only when none of the name's addresses is one of metadata. */
  readonly lookup: LookupFunction;
}

/**
 * @param allow hosts and addresses that the operator allows by name
 * @param refuse makes the error of a name that leads to metadata, or nowhere
 */
export function createMetadataGuard(allow: readonly string[], refuse: () => Error, resolve?: Resolve): MetadataGuard {
  const allowed = new Set(allow.map(normalizeHost));
  const checked = createCheckedLookup(
    (address) => allowed.has(normalizeHost(address)) || !isMetadataAddress(address),
    refuse,
    resolve,
  );
  const unchecked = createCheckedLookup(() => true, refuse, resolve);
  const isAllowed = (host: string): boolean => allowed.size > 0 && allowed.has(normalizeHost(host));
  return {
    permits: (host) => isAllowed(host) || !isMetadataHost(host),
    lookup: (hostname, options, done) => (isAllowed(hostname) ? unchecked : checked)(hostname, options, done),
  };
}
