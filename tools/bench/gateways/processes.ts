import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pinned, treeOf, type ProcessRole } from './machine.ts';

/** A process that serves. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  /** The process and those that it has started so far. */
  pids(): readonly number[];
  /** Sent with each request to it. */
  readonly headers?: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface Start {
  readonly command: readonly string[];
  readonly role: ProcessRole;
  readonly environment?: Readonly<Record<string, string>>;
}

const children = new Set<ChildProcess>();
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};

/** A process, and how it ends with all that it has started. */
interface Launched {
  readonly child: ChildProcess;
  readonly pid: number;
  stop(): Promise<void>;
}
const launch = ({ command, role, environment }: Start, stdio: StdioOptions): Launched => {
  const [program, ...args] = pinned(role, command);
  const child = spawn(program, args, { stdio, env: { ...process.env, NODE_ENV: 'production', ...environment } });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} cannot be started`);
  children.add(child);
  const stop = async (): Promise<void> => {
    children.delete(child);
    const tree = treeOf(pid).slice(1);
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    tree.forEach(kill);
  };
  return { child, pid, stop };
};

const SAID_LINES = 20;

/**
 * Starts a process and waits for the line in which it says its address.
 * @param log a file for its standard output, so that the pipe need not be read; its standard error is read then
 * @throws Error with what it said, when it ends before that
 */
export async function start(
  what: Start,
  readUrl: (line: string) => string | undefined,
  log?: string,
): Promise<Running> {
  const [output, error] = log === undefined ? (['pipe', 'inherit'] as const) : ([openSync(log, 'w'), 'pipe'] as const);
  const { child, pid, stop } = launch(what, ['ignore', output, error]);
  const input = child.stdout ?? child.stderr;
  if (input === null) throw new Error('it has no output');
  const said: string[] = [];
  for await (const line of createInterface({ input })) {
    said.push(line);
    const url = readUrl(line);
    if (url === undefined) continue;
    input.resume();
    return { url, pid, pids: () => treeOf(pid), stop };
  }
  throw new Error(`${what.command.join(' ')} ended before it was ready: ${said.slice(-SAID_LINES).join('\n')}`);
}

const PATIENCE_MS = 120_000;

/**
 * Starts a process that serves this address, and waits until it answers anything there.
 * @param log a file for what it writes
 * @throws Error with what it wrote, when it ends before that, or never answers
 */
export async function startServer(what: Start, url: string, log: string): Promise<Running> {
  const output = openSync(log, 'w');
  const { child, pid, stop } = launch(what, ['ignore', output, output]);
  const deadline = performance.now() + PATIENCE_MS;
  while (child.exitCode === null && performance.now() < deadline) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) return { url, pid, pids: () => treeOf(pid), stop };
    await delay(100);
  }
  await stop();
  const said = readFileSync(log, 'utf8').split('\n').slice(-SAID_LINES).join('\n');
  throw new Error(`${what.command.join(' ')} does not serve: ${said}`);
}

const scriptOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const byPort = (line: string): string | undefined => (/^\d+$/.test(line) ? `http://127.0.0.1:${line}` : undefined);

export const startUpstream = (): Promise<Running> =>
  start({ command: [process.execPath, scriptOf('./upstream.ts')], role: 'load' }, byPort);
const startScript = (file: string, upstream: string): Promise<Running> =>
  start({ command: [process.execPath, scriptOf(file), upstream], role: 'gateway' }, byPort);
export const startBare = (upstream: string): Promise<Running> => startScript('./bare.ts', upstream);
export const startFloor = (upstream: string): Promise<Running> => startScript('./floor.ts', upstream);

/** A gateway with the files of its configuration and its log. */
export interface RunningKoine extends Running {
  readonly file: string;
  readonly log: string;
}

/**
 * `koine serve` with these settings, its access log written to a file.
 * @param root the folder of the checkout or the installed build
 */
export async function startKoine(
  settings: object,
  root = scriptOf('../../..'),
  role: ProcessRole = 'gateway',
): Promise<RunningKoine> {
  const folder = mkdtempSync(join(tmpdir(), 'koine-bench-'));
  const [file, log] = [join(folder, 'gateway.yaml'), join(folder, 'access.log')];
  writeFileSync(file, JSON.stringify(settings));
  const command = [process.execPath, join(root, 'bin/koine.js'), 'serve', '--config', file];
  const readUrl = (line: string): string | undefined => /serves .* on (http:\S+)/.exec(line)?.[1];
  const running = await start({ command, role }, readUrl, log);
  return {
    ...running,
    file,
    log,
    stop: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
