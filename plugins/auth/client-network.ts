/** Loopback and IPv4-mapped addresses start with zeros: one /64 would hold all of them. */
const ZERO_NETWORK = '0:0:0:0';

const groupsOf = (text: string): readonly string[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16));

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, within which a subscriber can
 * change addresses at will.
 * @param address as the request head has it
 * @returns the same text for every notation of a network
 */
export function readClientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const [start = '', end] = address.toLowerCase().split('::');
  const first = groupsOf(start);
  const last = end === undefined ? [] : groupsOf(end);
  const missing = Math.max(0, 8 - first.length - last.length);
  const network = [...first, ...Array.from({ length: missing }, () => '0'), ...last].slice(0, 4).join(':');
  return network === ZERO_NETWORK ? address : network;
}
