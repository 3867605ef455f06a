import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { findFreePort } from '../../../core/server/primary/free-port.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

/** A Postgres server on a local port, with TLS. Its data survives kill -9 of the server. */
export interface PostgresServer {
  /** The URL of an empty database in which the user has all permissions. */
  readonly url: string;
  readonly port: number;
  /** Sends SIGSTOP to the server and its connection processes: connections stay open, nothing responds. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Restarts on the same port with the same data. Kills what is still running. */
  restart(): Promise<void>;
  /**
   * Restarts with `server.crt`, `server.key` and `ca.pem` of the folder, and admits only clients with a certificate of
   * this authority for the name koine.
   */
  secure(folder: string): Promise<void>;
  stop(): Promise<void>;
}

export const PASSWORD = 'canary-postgres-password';

/** The folders of the programs on Debian, newest last; elsewhere they are found by PATH. */
const debian = '/usr/lib/postgresql';
const folders = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
const programs = folders.findLast((folder) => existsSync(join(folder, 'initdb'))) ?? '';

/** Postgres refuses to run as root. */
const readUser = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
};
const user = readUser();

const isInstalled =
  spawnSync(join(programs, 'initdb'), ['--version']).status === 0 &&
  spawnSync(join(programs, 'postgres'), ['--version']).status === 0;

/** Skips the test without Postgres, except in CI, where it is required. Call it in a `before` hook. */
export const requirePostgres = (context: Mocha.Context): void => {
  if (isInstalled) return;
  if (process.env['CI'] === 'true') throw new Error('Postgres is missing: install it (apt-get install postgresql).');
  context.skip();
};

const START_MS = 40_000;

const isReady = async (connectionString: string): Promise<boolean> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  const ready = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => {});
  return ready;
};

/** Postgres requires that its private key belongs to its user and is readable by no one else. */
const copyCertificate = (folder: string): void => {
  const source = new URL('../../faults/tls/', import.meta.url).pathname;
  for (const [from, to] of [
    ['good.pem', 'server.crt'],
    ['server.key', 'server.key'],
  ] as const) {
    const path = join(folder, to);
    copyFileSync(join(source, from), path);
    chmodSync(path, 0o600);
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  }
};

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGQUIT');
});

/** The server and its processes, one for each connection, which outlive it for a moment when it is killed. */
const familyOf = ({ pid = 0 }: ChildProcess): readonly number[] => {
  const list = `/proc/${pid}/task/${pid}/children`;
  return [
    pid,
    ...(existsSync(list)
      ? readFileSync(list, 'utf8')
          .split(' ')
          .filter((text) => text !== '')
          .map(Number)
      : []),
  ];
};
/** A process of a connection may have exited since it was listed. */
const sendSignal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};
const isAlive = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const initialize = (folder: string): void => {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if (user !== undefined) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const args = [
    '-D',
    join(folder, 'data'),
    '-U',
    'koine',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync',
  ];
  const { status, stderr } = spawnSync(join(programs, 'initdb'), args, { ...user, cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  copyCertificate(join(folder, 'data'));
};

/**
 * A data folder as initdb leaves it, made once per machine and copied for each server: initdb takes a second of CPU
 * time, a copy a tenth. A rename makes it visible whole, whichever of several test processes is first.
 */
const template = (): string => {
  const version = createHash('sha256').update(programs).update(PASSWORD).digest('hex').slice(0, 8);
  const path = join(tmpdir(), `koine-test-postgres-${version}-${process.getuid?.() ?? 0}`);
  if (existsSync(path)) return path;
  const fresh = createTemporaryFolder();
  initialize(fresh.path);
  try {
    renameSync(fresh.path, path);
  } catch {
    fresh.remove();
  }
  return path;
};

const copyTemplate = (folder: string): void => {
  const { status, stderr } = spawnSync('cp', ['-a', `${template()}/.`, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The data folder was not copied: ${stderr}`);
};

/** @param options as on the command line: `'-c', 'fsync=on'` */
export const startPostgres = (...options: readonly string[]): Promise<PostgresServer> => start(copyTemplate, options);

/** A hot standby that replicates from the server. `SELECT pg_promote()` makes it the primary. */
export const startStandby = ({ url }: PostgresServer): Promise<PostgresServer> =>
  start((folder) => {
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
    const args = ['-d', url, '-D', join(folder, 'data'), '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
    const { status, stderr } = spawnSync(join(programs, 'pg_basebackup'), args, {
      ...user,
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`pg_basebackup failed: ${stderr}`);
  }, []);

/** @param fill fills the folder of the server, which has `data` then */
const start = async (fill: (folder: string) => void, options: readonly string[]): Promise<PostgresServer> => {
  const folder = createTemporaryFolder();
  fill(folder.path);
  const port = await findFreePort({ host: '127.0.0.1', port: 0 });
  const url = `postgres://koine:${PASSWORD}@127.0.0.1:${port}/postgres`;
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    synchronous_commit: 'off',
    shared_buffers: '16MB',
    max_connections: '60',
    ssl: 'on',
  };
  const words = [
    '-D',
    join(folder.path, 'data'),
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...options,
  ];
  const launch = async (): Promise<ChildProcess> => {
    const started = spawn(join(programs, 'postgres'), words, { ...user, cwd: folder.path, stdio: 'ignore' });
    started.unref();
    running.add(started);
    started.once('exit', () => running.delete(started));
    const deadline = Date.now() + START_MS;
    while (!(await isReady(url))) {
      if (started.exitCode !== null || Date.now() > deadline)
        throw new Error(`Postgres did not start on port ${port}: ${words.join(' ')}`);
      await delay(20);
    }
    return started;
  };
  let child = await launch();
  const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
    for (const pid of familyOf(child)) sendSignal(pid, name);
  };
  const end = async (name: 'SIGKILL' | 'SIGQUIT'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const family = familyOf(child);
    const exited = once(child, 'exit');
    signal('SIGCONT');
    child.kill(name);
    await exited;
    while (family.some(isAlive)) await delay(5);
  };
  return {
    url,
    port,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGKILL');
      child = await launch();
    },
    secure: async (source) => {
      await end('SIGQUIT');
      const data = join(folder.path, 'data');
      for (const name of ['server.crt', 'server.key', 'ca.pem']) {
        copyFileSync(join(source, name), join(data, name));
        chmodSync(join(data, name), 0o600);
        if (user !== undefined) chownSync(join(data, name), user.uid, user.gid);
      }
      writeFileSync(
        join(data, 'pg_hba.conf'),
        'hostnossl all all 127.0.0.1/32 scram-sha-256\nhostssl all all all scram-sha-256 clientcert=verify-full\n',
      );
      words.push('-c', 'ssl_ca_file=ca.pem');
      child = await launch();
    },
    stop: async () => {
      await end('SIGQUIT');
      folder.remove();
    },
  };
};
