import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killThread, mortalThreads } from '../../test/support/threads/end-threads.ts';

/** The gateway under test: the whole command in its own process, with its access log in a file. */
export interface SoakGateway {
  readonly pid: number;
  readonly url: string;
  readonly adminUrl: string;
  /** Its configuration file. */
  readonly file: string;
  /** Path of the access log. */
  readonly log: string;
  /** The database of the ledger, to be read after the gateway has stopped. */
  readonly database: string;
  /** The output on standard error so far. */
  stderr(): string;
  collectGarbage(): void;
  /** Ends a worker at once. @param worker its number */
  killWorker(worker: number): void;
  /** Stops the gateway; resolves with its exit code, or null if it had to be killed. */
  stop(): Promise<number | null>;
  /** SIGKILL. Resolves when it has ended. */
  kill(): Promise<unknown>;
  /** Kills the gateway if it still runs, and removes its folder unless that was given. */
  remove(): void;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const START_MS = 180_000;
const STOP_MS = 60_000;

const [address, adminAddress] = [/ on (http:\S+)/, /admin (http:[^)\s]+)/];

/** Resolves with its standard error, which goes on to be read, when it has started. */
async function readUntilStarted(child: ChildProcess): Promise<() => string> {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (more: string) => (text += more));
  const deadline = performance.now() + START_MS;
  while (!adminAddress.test(text)) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`the gateway did not start: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return () => text;
}

const countLogs = (folder: string): number => readdirSync(folder).filter((name) => name.startsWith('access-')).length;

/** @param given the folder of an earlier gateway, whose log and files stay */
export async function startSoakGateway(settings: object, given?: string): Promise<SoakGateway> {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'koine-soak-'));
  const file = join(folder, 'gateway.yaml');
  const log = join(folder, `access-${countLogs(folder)}.log`);
  writeFileSync(file, JSON.stringify(settings));
  const output = openSync(log, 'w');
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', here('./collect-garbage.ts'), here('../../bin/koine.js'), 'serve', '--config', file],
    { stdio: ['ignore', output, 'pipe'], env: { ...process.env, ...mortalThreads(folder) } },
  );
  closeSync(output);
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const kill = (): void => void child.kill('SIGKILL');
  const remove = (): void => {
    kill();
    process.off('exit', remove);
    if (given === undefined) rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  const stderr = await readUntilStarted(child).catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    pid: child.pid ?? 0,
    url: address.exec(stderr())?.[1] ?? '',
    adminUrl: adminAddress.exec(stderr())?.[1] ?? '',
    file,
    log,
    database: `sqlite:${join(folder, 'soak.db')}`,
    stderr,
    collectGarbage: () => void child.kill('SIGUSR2'),
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(kill, STOP_MS);
      const [code] = await exit;
      clearTimeout(timer);
      return code;
    },
    killWorker: (worker) => killThread(child, folder, worker),
    kill: () => {
      kill();
      return exit;
    },
    remove,
  };
}
