import { isIPv6, type BlockList, type Socket } from 'node:net';
import type { ServerConfig } from '../../config/gateway-config.ts';
import { compileRanges, familyOf, normalise } from '../request/client-address.ts';

type Settings = Pick<ServerConfig, 'connectionsPerAddress' | 'trustProxy'>;

/** Bounds the connections of one client address, in one process. */
export interface ConnectionLimit {
  /** Counts a connection until it closes. @returns false where its address has too many; it is not counted then */
  admit(socket: Socket): boolean;
  /** These settings hold for new connections from now on. */
  adopt(settings: Settings): void;
}

const LOOPBACK = ['127.0.0.0/8', '::1'];
const GROUPS = 8;
/** One client commands a whole network of 64 bits: https://www.rfc-editor.org/rfc/rfc6177 */
const NETWORK_GROUPS = 4;

const splitGroups = (part: string): readonly string[] => (part === '' ? [] : part.split(':'));

/** The address, or the network of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const [left, right] = [splitGroups(head), splitGroups(tail)];
  const zeros = Array<string>(GROUPS - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right]
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** Trusted proxies and this machine send the connections of many clients: they are not counted. */
export function createConnectionLimit(first: Settings): ConnectionLimit {
  const counts = new Map<string, number>();
  let most = 0;
  let exempt: BlockList;
  const adopt = ({ connectionsPerAddress, trustProxy }: Settings): void => {
    most = connectionsPerAddress;
    exempt = compileRanges([...LOOPBACK, ...trustProxy]);
  };
  adopt(first);
  return {
    adopt,
    admit: (socket) => {
      const address = normalise(socket.remoteAddress ?? '');
      if (address === '' || exempt.check(address, familyOf(address))) return true;
      const network = networkOf(address);
      const count = counts.get(network) ?? 0;
      if (count >= most) return false;
      counts.set(network, count + 1);
      socket.once('close', () => {
        const left = (counts.get(network) ?? 1) - 1;
        if (left === 0) counts.delete(network);
        else counts.set(network, left);
      });
      return true;
    },
  };
}
