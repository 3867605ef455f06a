import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort as findPort } from '../../../core/server/primary/free-port.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

/** A redis-server of its own, without persistence, on a port of this machine. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** SIGSTOP: connections stay, nothing answers. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** On the same port, empty. Kills what still runs. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;

/** Skips where there is no redis-server, except in CI, where there has to be one. Call it in a `before` hook. */
export const requireRedis = (context: Mocha.Context): void => {
  if (isInstalled) return;
  if (process.env['CI'] === 'true')
    throw new Error('redis-server is missing: install it (apt-get install redis-server).');
  context.skip();
};

/** Not one that the system gives to other tests, which would have it when a server that was killed starts again. */
export const findFreePort = (): Promise<number> => findPort({ host: '127.0.0.1', port: 0 });

const START_MS = 40_000;

const answersPing = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    // A server that wants a password answers with an error: it is there.
    socket.once('data', (data) => end(/^(?:\+PONG|-NOAUTH)/.test(data.toString()))).once('error', () => end(false));
  });

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** @param options as on the command line: `'--maxmemory', '1mb'` */
export const startRedis = async (...options: readonly string[]): Promise<RedisServer> => {
  const folder = createTemporaryFolder();
  const port = await findFreePort();
  const launch = async (): Promise<ChildProcess> => {
    const words = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder.path,
      '--save',
      '',
      '--appendonly',
      'no',
      ...options,
    ];
    const started = spawn('redis-server', words, { stdio: 'ignore' });
    running.add(started);
    started.once('exit', () => running.delete(started));
    const deadline = Date.now() + START_MS;
    while (!(await answersPing(port))) {
      if (started.exitCode !== null || Date.now() > deadline)
        throw new Error(`redis-server did not start on port ${port}: ${words.join(' ')}`);
      await delay(10);
    }
    return started;
  };
  let child = await launch();
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid ?? 0;
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill,
    restart: async () => {
      await kill();
      child = await launch();
    },
    stop: async () => {
      await kill();
      folder.remove();
    },
  };
};
