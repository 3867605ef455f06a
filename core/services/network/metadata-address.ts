import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { createCheckedLookup, type Resolve } from './checked-lookup.ts';

/**
 * The addresses at which clouds hand out credentials to any process on the machine, and all of link-local IPv4, where
 * each cloud has more of them.
 */
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
 * The IPv6 nets that lead to an IPv4 net: NAT64 (both prefixes of RFC 8215), IPv4-compatible, SIIT and 6to4. BlockList
 * itself treats mapped addresses as IPv4.
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

/**
 * Normalises a host as the URL parser does, without brackets and trailing dot: decimal, octal and hexadecimal addresses
 * become dotted ones.
 */
export function normalizeHost(host: string): string {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}/`;
  const name = URL.canParse(url) ? new URL(url).hostname : host.toLowerCase();
  return name.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Whether a cloud hands out credentials at this address, also as IPv4 inside IPv6. */
export function isMetadataAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1);
  return isIP(plain) !== 0 && blocked.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

/** The same for a name or an address in any spelling. Names are not resolved. */
export function isMetadataHost(host: string): boolean {
  const name = normalizeHost(host);
  return names.has(name) || isMetadataAddress(name);
}

/** Decides where a provider can connect to. */
export interface MetadataCheck {
  /** For IP addresses, which are connected to without a lookup. */
  permits(host: string): boolean;
  /** Succeeds only if no address of the name is a metadata address. */
  readonly lookup: LookupFunction;
}

/**
 * @param allow hosts and addresses that the operator has listed as permitted
 * @param refuse creates the error for a name that leads to a metadata address, or nowhere
 */
export function createMetadataCheck(allow: readonly string[], refuse: () => Error, resolve?: Resolve): MetadataCheck {
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
