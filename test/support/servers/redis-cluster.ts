import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort, startRedis, type RedisServer } from './redis.ts';

const run = promisify(execFile);
/** A master that is silent for this long is replaced by its replica. */
const NODE_TIMEOUT_MS = 2_500;
const AGREE_MS = 30_000;

/** A Redis Cluster with three masters and a replica of each. */
export interface RedisClusterServer {
  /** As `host:port`. */
  readonly hosts: readonly string[];
  readonly nodes: readonly RedisServer[];
  /** The master of the slot of a key, as every node sees it. */
  masterOf(key: string): Promise<RedisServer>;
  /** Any master that does not have the slot of the key. */
  otherMaster(key: string): Promise<RedisServer>;
  /** Resolves when every node that runs sees a whole cluster. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs a command at one node, without following redirections. @returns what redis-cli prints */
export const tellNode = async (node: Pick<RedisServer, 'port'>, ...words: readonly string[]): Promise<string> =>
  (await run('redis-cli', ['-p', String(node.port), ...words])).stdout.trim();

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
  const slotOwner = async (key: string): Promise<{ readonly slot: number; readonly port: number }> => {
    const [asked] = listRunning();
    if (asked === undefined) throw new Error('No node of the cluster runs.');
    const slot = Number(await tellNode(asked, 'CLUSTER', 'KEYSLOT', key));
    const lines = (await tellNode(asked, 'CLUSTER', 'NODES')).split('\n').map((line) => line.split(' '));
    const owner = lines.find(
      ([, , flags = '', , , , , , ...ranges]) =>
        flags.includes('master') &&
        ranges.some((range) => {
          const [from = 0, to = from] = range.split('-').map(Number);
          return from <= slot && slot <= to;
        }),
    );
    return { slot, port: Number(/:(\d+)@/.exec(owner?.[1] ?? '')?.[1]) };
  };
  const isMaster = async (node: RedisServer): Promise<boolean> => (await tellNode(node, 'ROLE')).startsWith('master');
  const settled = async (): Promise<void> => {
    const deadline = Date.now() + AGREE_MS;
    for (;;) {
      const infos = await Promise.all(listRunning().map((node) => tellNode(node, 'CLUSTER', 'INFO')));
      if (infos.every((info) => info.includes('cluster_state:ok') && info.includes('cluster_slots_ok:16384'))) return;
      if (Date.now() > deadline) throw new Error(`The cluster did not settle: ${infos.join('\n')}`);
      await delay(50);
    }
  };
  await settled();
  return {
    hosts,
    nodes,
    masterOf: async (key) => {
      const { port } = await slotOwner(key);
      const node = nodes.find((each) => each.port === port);
      if (node === undefined) throw new Error(`No node has the slot of ${key}.`);
      return node;
    },
    otherMaster: async (key) => {
      const { port } = await slotOwner(key);
      for (const node of listRunning()) if (node.port !== port && (await isMaster(node))) return node;
      throw new Error('The cluster has no other master.');
    },
    settled,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
