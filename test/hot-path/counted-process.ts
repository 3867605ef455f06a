import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { Found, What } from './messages.ts';

/** A gateway in its own process, so that its client and its upstream are not counted. */
export interface CountedProcess {
  readonly url: string;
  /** Counts what the process does while `work` runs. */
  count<Kind extends What>(what: Kind, work: () => Promise<void>): Promise<Found[Kind]>;
  stop(): Promise<void>;
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
/** Nothing is collected while the bytes of some requests are counted: the young generation holds them all. */
const YOUNG = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
const preload = new URL('./preload.ts', import.meta.url).href;

const start = async (
  args: readonly string[],
  folder: string,
  readUrl: (line: string) => string | undefined,
): Promise<CountedProcess> => {
  // The log goes to a file, as in production: a pipe would use other resources.
  const log = openSync(join(folder, 'log'), 'w');
  const child = spawn(process.execPath, [...YOUNG, '--import', preload, ...args], {
    stdio: ['ignore', log, 'pipe', 'ipc'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.removeListener('exit', kill);
    kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr! })) {
    const url = readUrl(line);
    said.push(line);
    if (url === undefined) continue;
    child.stderr!.resume();
    const ask = async (hotPath: 'begin' | 'end', what: What): Promise<{ readonly found?: unknown }> => {
      child.send({ hotPath, what });
      const [answer] = (await once(child, 'message')) as [{ readonly found?: unknown }];
      return answer;
    };
    return {
      url,
      count: async <Kind extends What>(what: Kind, work: () => Promise<void>) => {
        await ask('begin', what);
        await work();
        return (await ask('end', what)).found as Found[Kind];
      },
      stop,
    };
  }
  await stop();
  throw new Error(`${args.join(' ')} did not start: ${said.join('\n')}`);
};

/** `koine serve` with these settings. */
export const startCountedGateway = (settings: object): Promise<CountedProcess> => {
  const folder = mkdtempSync(join(tmpdir(), 'koine-hot-path-'));
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, stringify(settings));
  const args = [pathOf('../../bin/koine.js'), 'serve', '--config', file];
  return start(args, folder, (line) => /serves .* on (http:\S+)/.exec(line)?.[1]);
};
