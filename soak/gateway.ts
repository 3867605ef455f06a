import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The gateway under test: the whole command in its own process, with its access log in a file. */
export interface SoakGateway {
  readonly pid: number;
  readonly url: string;
  readonly adminUrl: string;
  /** Path of the access log. */
  readonly log: string;
  /** The database of the ledger, to be read after the gateway has stopped. */
  readonly database: string;
  /** The output on standard error so far. */
  stderr(): string;
  collectGarbage(): void;
  /** Stops the gateway; resolves with its exit code, or null if it had to be killed. */
  stop(): Promise<number | null>;
  /** Kills the gateway if it still runs, and removes its folder. */
  remove(): void;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const START_MS = 20_000;
const STOP_MS = 30_000;

export async function startSoakGateway(settings: object): Promise<SoakGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'koine-soak-'));
  const [file, log] = [join(folder, 'gateway.yaml'), join(folder, 'access.log')];
  writeFileSync(file, JSON.stringify(settings));
  const output = openSync(log, 'w');
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', here('./collect-garbage.ts'), here('../bin/koine.js'), 'serve', '--config', file],
    { stdio: ['ignore', output, 'pipe'] },
  );
  closeSync(output);
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const kill = (): void => void child.kill('SIGKILL');
  const remove = (): void => {
    kill();
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));

  const [address, adminAddress] = [/ on (http:\S+)/, /admin (http:[^)\s]+)/];
  const deadline = performance.now() + START_MS;
  while (!adminAddress.test(stderr)) {
    if (child.exitCode !== null || performance.now() > deadline) {
      remove();
      throw new Error(`the gateway did not start: ${stderr}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    pid: child.pid ?? 0,
    url: address.exec(stderr)?.[1] ?? '',
    adminUrl: adminAddress.exec(stderr)?.[1] ?? '',
    log,
    database: `sqlite:${join(folder, 'soak.db')}`,
    stderr: () => stderr,
    collectGarbage: () => void child.kill('SIGUSR2'),
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(kill, STOP_MS);
      const [code] = await exit;
      clearTimeout(timer);
      return code;
    },
    remove,
  };
}
