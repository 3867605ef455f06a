import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { tellNode } from './redis-cluster.ts';
import { findFreePort, startRedis, type RedisServer } from './redis.ts';

/** The name of the primary. */
export const PRIMARY = 'koine-limits';
/** A primary that is silent for this long is replaced. */
const DOWN_MS = 3_000;
const SENTINELS = 3;

/** A Redis with a replica, and three Sentinels. */
export interface RedisSentinels {
  /** Of the Sentinels, as `host:port`. */
  readonly hosts: readonly string[];
  /** The primary as the Sentinels see it. */
  primary(): Promise<RedisServer>;
  /** Kills one of the Sentinels. */
  killOne(): Promise<void>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

/** @param password of the Redis servers and of the Sentinels */
export async function startRedisSentinels(password?: string): Promise<RedisSentinels> {
  const folder = createTemporaryFolder();
  const secured = password === undefined ? [] : ['--requirepass', password, '--masterauth', password];
  const first = await startRedis('--repl-diskless-sync-delay', '0', ...secured);
  const second = await startRedis(
    '--replicaof',
    '127.0.0.1',
    String(first.port),
    '--repl-diskless-sync-delay',
    '0',
    ...secured,
  );
  const servers = [first, second];
  const ports: number[] = [];
  const children: ChildProcess[] = [];
  for (let index = 0; index < SENTINELS; index += 1) {
    const port = await findFreePort();
    const file = join(folder.path, `sentinel-${index}.conf`);
    const lines = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder.path}`,
      `sentinel monitor ${PRIMARY} 127.0.0.1 ${first.port} 2`,
      `sentinel down-after-milliseconds ${PRIMARY} ${DOWN_MS}`,
      `sentinel failover-timeout ${PRIMARY} 2000`,
      ...(password === undefined ? [] : [`sentinel auth-pass ${PRIMARY} ${password}`, `requirepass ${password}`]),
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
    running.add(child);
    child.once('exit', () => running.delete(child));
    ports.push(port);
    children.push(child);
  }
  const secret = password === undefined ? {} : { password };
  const ask = (port: number, ...command: readonly string[]): Promise<string> =>
    tellNode({ port, ...secret }, ...command).catch(() => '');
  await until(
    'the Sentinels see each other and the replica',
    async () => {
      const infos = await Promise.all(ports.map((port) => ask(port, 'INFO', 'sentinel')));
      return infos.every((info) => info.includes(`status=ok`) && info.includes(`slaves=1,sentinels=${SENTINELS}`));
    },
    100,
  );
  return {
    hosts: ports.map((port) => `127.0.0.1:${port}`),
    primary: async () => {
      const answers = await Promise.all(ports.map((port) => ask(port, 'SENTINEL', 'get-master-addr-by-name', PRIMARY)));
      const port = Number(answers.find((answer) => answer !== '')?.split('\n')[1]);
      const server = servers.find((each) => each.port === port);
      if (server === undefined) throw new Error(`The Sentinels name port ${port}.`);
      return server;
    },
    killOne: () => end(children[0]!),
    stop: async () => {
      await Promise.all(children.map(end));
      await Promise.all(servers.map((server) => server.stop()));
      folder.remove();
    },
  };
}
