import { isIPv6, type BlockList, type Socket } from 'node:net';
import type { ServerConfig } from '../../config/gateway-config.ts';
import { CONNECTIONS, HostLoad } from '../../services/shared-memory/host-load.ts';
import { compileRanges, familyOf, normalise } from '../request/client-address.ts';

type Settings = Pick<ServerConfig, 'connectionsPerAddress' | 'trustProxy'>;

/** Bounds the connections of a host, and of each client address. */
export interface ConnectionLimit {
  /** Counts a connection until it closes. @returns which of them are too many; it is not counted then */
  admit(socket: Socket): 'connections' | 'connections_per_address' | undefined;
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

/** Connections from trusted proxies and from this machine have no address here: they can belong to many clients. */
export function createConnectionLimit(
  { maxConnections, ...first }: Settings & Pick<ServerConfig, 'maxConnections'>,
  load = new HostLoad(),
): ConnectionLimit {
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
      if (load.sum(CONNECTIONS) >= maxConnections) return 'connections';
      const address = normalise(socket.remoteAddress ?? '');
      const isExempt = address === '' || exempt.check(address, familyOf(address));
      const network = isExempt ? undefined : load.placeOf('network', networkOf(address));
      if (network !== undefined && load.sum(network) >= most) return 'connections_per_address';
      const count = (change: 1 | -1): void => {
        load.add(CONNECTIONS, change);
        if (network !== undefined) load.add(network, change);
      };
      count(1);
      socket.once('close', () => count(-1));
      return undefined;
    },
  };
}
