/** Loopback and IPv4 in IPv6 begin with nothing: there a network of 64 bits would be everybody. */
const NOBODY = '0:0:0:0';

const groupsOf = (text: string): readonly string[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16));

/**
 * What counts as one client: an IPv4 address, or the /64 of an IPv6 address, which one subscriber has to himself and can change within at will.
 * @param address as the request head has it; the same network comes out the same however it is written
 */
export function readClientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const [start = '', end] = address.toLowerCase().split('::');
  const first = groupsOf(start);
  const last = end === undefined ? [] : groupsOf(end);
  const missing = Math.max(0, 8 - first.length - last.length);
  const network = [...first, ...Array.from({ length: missing }, () => '0'), ...last].slice(0, 4).join(':');
  return network === NOBODY ? address : network;
}
