import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { findFreePort, startRedis, type RedisServer } from './redis.ts';

const run = promisify(execFile);
/** A master that is silent for this long is replaced by its replica. */
const NODE_TIMEOUT_MS = 4_000;
const AGREE_MS = 40_000;

/** A Redis Cluster with three masters and a replica of each. */
export interface RedisClusterServer {
  /** As `host:port`. */
  readonly hosts: readonly string[];
  readonly nodes: readonly RedisServer[];
  /** The master of the slot of a key, as every node sees it. */
  masterOf(key: string): Promise<RedisServer>;
  /** Any master that does not have the slot of the key. */
  otherMaster(key: string): Promise<RedisServer>;
  /**
   * Resolves when every node that runs sees a whole cluster, and all see the same owners of slots.
   * @param except a node that does not answer
   */
  settled(except?: RedisServer): Promise<void>;
  stop(): Promise<void>;
}

/** Where a command goes. */
export type RedisNode = Pick<RedisServer, 'port'> & { readonly password?: string };

const textOf = (reply: unknown): string => (Array.isArray(reply) ? reply.map(textOf).join('\n') : String(reply));

/** Runs a command at one node, without following redirections. @returns its reply as redis-cli prints it */
export const tellNode = async ({ port, password }: RedisNode, ...words: readonly string[]): Promise<string> => {
  const [name = '', ...more] = words;
  const options = { host: '127.0.0.1', port, retryStrategy: () => null, enableReadyCheck: false };
  const redis = new Redis(password === undefined ? options : { ...options, password });
  // The command fails with it.
  redis.on('error', () => {});
  try {
    return textOf(await redis.call(name, ...more)).trim();
  } finally {
    redis.disconnect();
  }
};

/** Whether the replica of a node has everything. `WAIT` would know the writes of its own connection only. */
export const isReplicated = async (node: RedisNode): Promise<boolean> => {
  const text = await tellNode(node, 'INFO', 'replication');
  const acknowledged = /^slave0:.*,offset=(\d+)/m.exec(text)?.[1];
  return acknowledged !== undefined && acknowledged === /^master_repl_offset:(\d+)/m.exec(text)?.[1];
};

/** The slots of each master, as one node sees them. */
const listRanges = async (
  node: RedisServer,
): Promise<readonly { readonly from: number; readonly to: number; readonly port: number }[]> => {
  const lines = (await tellNode(node, 'CLUSTER', 'NODES')).split('\n').map((line) => line.split(' '));
  return lines
    .filter(([, , flags = '']) => flags.includes('master'))
    .flatMap(([, address = '', , , , , , , ...ranges]) =>
      // A slot that is being moved is listed once more, in brackets.
      ranges
        .filter((range) => !range.startsWith('['))
        .map((range) => {
          const [from = 0, to = from] = range.split('-').map(Number);
          return { from, to, port: Number(/:(\d+)@/.exec(address)?.[1]) };
        }),
    )
    .toSorted((one, other) => one.from - other.from);
};

const isRunning = ({ pid }: RedisServer): boolean => {
  try {
    process.kill(pid, 0);
    return pid > 0;
  } catch {
    return false;
  }
};

interface ClusterOptions {
  /** Of a node, as on the command line. */
  options(): Promise<readonly string[]>;
  /** Where redis-cli reaches the nodes, and its options: by TLS. */
  readonly ports?: readonly number[];
  readonly cli?: readonly string[];
}

export async function startRedisCluster(
  { options, ports, cli = [] }: ClusterOptions = { options: () => Promise.resolve([]) },
): Promise<RedisClusterServer> {
  const nodes: RedisServer[] = [];
  for (let index = 0; index < 6; index += 1)
    nodes.push(
      await startRedis(
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        String(await findFreePort()),
        '--cluster-node-timeout',
        String(NODE_TIMEOUT_MS),
        '--repl-diskless-sync-delay',
        '0',
        ...(await options()),
      ),
    );
  const hosts = (ports ?? nodes.map(({ port }) => port)).map((port) => `127.0.0.1:${port}`);
  await run('redis-cli', [...cli, '--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes']);
  const listRunning = (): readonly RedisServer[] => nodes.filter(isRunning);
  const slotOwner = async (key: string): Promise<number> => {
    const [asked] = listRunning();
    if (asked === undefined) throw new Error('No node of the cluster runs.');
    const slot = Number(await tellNode(asked, 'CLUSTER', 'KEYSLOT', key));
    const ranges = await listRanges(asked);
    return ranges.find(({ from, to }) => from <= slot && slot <= to)?.port ?? 0;
  };
  const isMaster = async (node: RedisServer): Promise<boolean> => (await tellNode(node, 'ROLE')).startsWith('master');
  const settled = async (except?: RedisServer): Promise<void> => {
    const deadline = Date.now() + AGREE_MS;
    for (;;) {
      const running = listRunning().filter((node) => node !== except);
      const infos = await Promise.all(running.map((node) => tellNode(node, 'CLUSTER', 'INFO')));
      const views = new Set((await Promise.all(running.map(listRanges))).map((ranges) => JSON.stringify(ranges)));
      const isWhole = infos.every((info) => info.includes('cluster_state:ok') && info.includes('slots_ok:16384'));
      if (isWhole && views.size === 1) return;
      if (Date.now() > deadline) throw new Error(`The cluster did not settle: ${[...infos, ...views].join('\n')}`);
      await delay(100);
    }
  };
  await settled();
  return {
    hosts,
    nodes,
    masterOf: async (key) => {
      const port = await slotOwner(key);
      const node = nodes.find((each) => each.port === port);
      if (node === undefined) throw new Error(`No node has the slot of ${key}.`);
      return node;
    },
    otherMaster: async (key) => {
      const port = await slotOwner(key);
      for (const node of listRunning()) if (node.port !== port && (await isMaster(node))) return node;
      throw new Error('The cluster has no other master.');
    },
    settled,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
