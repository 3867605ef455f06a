import type { PostgresServer } from '../../../test/support/servers/postgres.ts';
import type { RedisServer } from '../../../test/support/servers/redis.ts';
import type { Host } from './host.ts';

/** What outages befall. */
export interface Scene {
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  /** The first has one process, the second has workers. */
  readonly hosts: readonly [Host, Host];
  /** Waits, in a short run for a part of the time. */
  hold(seconds: number): Promise<void>;
}

export interface Outage {
  readonly name: string;
  play(scene: Scene): Promise<void>;
}

const killAndStart = async ({ hold }: Scene, host: Host): Promise<void> => {
  await host.kill();
  await hold(3);
  await host.start();
};

export const outages: readonly Outage[] = [
  {
    name: 'Redis stopped and started, empty',
    play: async ({ redis, hold }) => {
      await redis.kill();
      await hold(15);
      await redis.restart();
    },
  },
  { name: 'a gateway killed', play: (scene) => killAndStart(scene, scene.hosts[0]) },
  {
    name: 'Postgres frozen',
    play: async ({ postgres, hold }) => {
      postgres.pause();
      await hold(40);
      postgres.resume();
    },
  },
  {
    name: 'a gateway drained',
    play: async ({ hosts: [host], hold }) => {
      await host.stop();
      await hold(2);
      await host.start();
    },
  },
  { name: 'a gateway reloaded', play: ({ hosts: [host] }) => host.reload() },
  {
    name: 'Redis frozen',
    play: async ({ redis, hold }) => {
      redis.pause();
      await hold(10);
      redis.resume();
    },
  },
  {
    name: 'Postgres killed and restarted',
    play: async ({ postgres, hold }) => {
      await postgres.kill();
      await hold(10);
      await postgres.restart();
    },
  },
  { name: 'a gateway with workers killed', play: (scene) => killAndStart(scene, scene.hosts[1]) },
  { name: 'a worker killed', play: ({ hosts: [, host] }) => host.killWorker() },
  { name: 'a gateway with workers reloaded', play: ({ hosts: [, host] }) => host.reload() },
  {
    name: 'a gateway with workers drained',
    play: async ({ hosts: [, host] }) => {
      await host.stop();
      await host.start();
    },
  },
  {
    name: 'a gateway killed while Redis is away',
    play: async (scene) => {
      await scene.redis.kill();
      await scene.hold(5);
      await killAndStart(scene, scene.hosts[0]);
      await scene.hold(5);
      await scene.redis.restart();
    },
  },
  {
    name: 'a gateway killed while Postgres is frozen',
    play: async ({ postgres, hosts: [, host], hold }) => {
      postgres.pause();
      await hold(10);
      await host.kill();
      await hold(10);
      postgres.resume();
      await host.start();
    },
  },
  {
    name: 'Redis and Postgres away',
    play: async ({ redis, postgres, hold }) => {
      await postgres.kill();
      await hold(5);
      await redis.kill();
      await hold(10);
      await redis.restart();
      await hold(5);
      await postgres.restart();
    },
  },
];
