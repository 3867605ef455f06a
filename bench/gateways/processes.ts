import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pinned, treeOf, type Place } from './machine.ts';

/** A process that serves. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  /** The process and those that it has started. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

export interface Start {
  readonly command: readonly string[];
  readonly place: Place;
  /** The address, from the line that says it is ready. */
  readonly readUrl: (line: string) => string | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  /** A file for its standard output, so that nobody has to read it; its standard error is read then. */
  readonly log?: string;
}

const children = new Set<ChildProcess>();
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const SAID_LINES = 20;

/** Starts a process and waits until it is ready. @throws Error with what it said, when it ends before that */
export const start = async ({ command, place, readUrl, environment, log }: Start): Promise<Running> => {
  const [program, ...args] = pinned(place, command);
  const output = log === undefined ? 'pipe' : openSync(log, 'w');
  const env = { ...process.env, NODE_ENV: 'production', ...environment };
  const child = spawn(program, args, { stdio: ['ignore', output, log === undefined ? 'inherit' : 'pipe'], env });
  children.add(child);
  const input = child.stdout ?? child.stderr;
  const { pid } = child;
  if (input === null || pid === undefined) throw new Error(`${command.join(' ')} cannot be started`);
  const stop = async (): Promise<void> => {
    children.delete(child);
    const tree = treeOf(pid).slice(1);
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    for (const each of tree) {
      try {
        process.kill(each, 'SIGKILL');
      } catch {
        // It has ended with its parent.
      }
    }
  };
  const said: string[] = [];
  for await (const line of createInterface({ input })) {
    said.push(line);
    const url = readUrl(line);
    if (url === undefined) continue;
    input.resume();
    return { url, pid, pids: treeOf(pid), stop };
  }
  throw new Error(`${command.join(' ')} ended before it was ready: ${said.slice(-SAID_LINES).join('\n')}`);
};

const scriptOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const byPort = (line: string): string | undefined => (/^\d+$/.test(line) ? `http://127.0.0.1:${line}` : undefined);

export const startUpstream = (): Promise<Running> =>
  start({ command: [process.execPath, scriptOf('./upstream.ts')], place: 'load', readUrl: byPort });
export const startBare = (upstream: string): Promise<Running> =>
  start({ command: [process.execPath, scriptOf('./bare.ts'), upstream], place: 'gateway', readUrl: byPort });

/** A gateway with the file of its configuration. */
export interface RunningKoine extends Running {
  readonly file: string;
}

/**
 * `koine serve` with these settings, its access log written to a file.
 * @param root the folder of the checkout or the installed build
 */
export const startKoine = async (settings: object, root = scriptOf('../..')): Promise<RunningKoine> => {
  const folder = mkdtempSync(join(tmpdir(), 'koine-bench-'));
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, JSON.stringify(settings));
  const running = await start({
    command: [process.execPath, join(root, 'bin/koine.js'), 'serve', '--config', file],
    place: 'gateway',
    readUrl: (line) => /serves .* on (http:\S+)/.exec(line)?.[1],
    log: join(folder, 'access.log'),
  });
  return {
    ...running,
    file,
    stop: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
