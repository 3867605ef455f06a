import { isIPv6, type BlockList, type Socket } from 'node:net';
import type { ServerConfig } from '../../config/gateway-config.ts';
import { compileRanges, familyOf, normalise } from '../request/client-address.ts';

type Settings = Pick<ServerConfig, 'connectionsPerAddress' | 'trustProxy'>;

/** Bounds the connections of each client address, in one process. */
export interface ConnectionLimit {
  /** Counts a connection until it closes. @returns false if its address has too many; it is not counted then */
  admit(socket: Socket): boolean;
  /** Replaces the settings for new connections. */
  adopt(settings: Settings): void;
}

const LOOPBACK = ['127.0.0.0/8', '::1'];
const GROUPS = 8;
/** An IPv6 client usually has a whole /64 network: https://www.rfc-editor.org/rfc/rfc6177 */
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

/** Connections from trusted proxies and from this machine are not counted: they can belong to many clients. */
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
