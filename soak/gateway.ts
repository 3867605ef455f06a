import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The gateway under test: the whole command in a process of its own, its access log in a file. */
export interface SoakedGateway {
  readonly pid: number;
  readonly url: string;
  readonly adminUrl: string;
  /** The file of its access log. */
  readonly log: string;
  /** Its ledger, for when it has ended. */
  readonly database: string;
  /** What it says on standard error. */
  said(): string;
  collectGarbage(): void;
  /** Asks it to end; resolves with its exit code, null where it had to be killed. */
  stop(): Promise<number | null>;
  /** Ends it, if it still runs, and removes its folder. */
  remove(): void;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const START_MS = 20_000;
const STOP_MS = 30_000;

export async function startSoakedGateway(settings: object): Promise<SoakedGateway> {
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
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));

  const [address, adminAddress] = [/ on (http:\S+)/, /admin (http:[^)\s]+)/];
  const deadline = performance.now() + START_MS;
  while (!adminAddress.test(said)) {
    if (child.exitCode !== null || performance.now() > deadline) {
      remove();
      throw new Error(`the gateway did not start: ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    pid: child.pid ?? 0,
    url: address.exec(said)?.[1] ?? '',
    adminUrl: adminAddress.exec(said)?.[1] ?? '',
    log,
    database: `sqlite:${join(folder, 'soak.db')}`,
    said: () => said,
    collectGarbage: () => void child.kill('SIGUSR2'),
    stop: async () => {
      child.kill('SIGTERM');
      const patience = setTimeout(kill, STOP_MS);
      const [code] = await exit;
      clearTimeout(patience);
      return code;
    },
    remove,
  };
}
