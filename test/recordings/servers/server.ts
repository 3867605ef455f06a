import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordingCase } from '../../../core/cli/recording/cases.ts';
import { findFreePort } from '../../../core/server/primary/free-port.ts';

/** What to record from a running server. */
export interface Recorded {
  /** The provider of Koine whose wires are recorded; its wires are at `url`. */
  readonly provider: 'openai' | 'anthropic' | 'google';
  readonly url: string;
  readonly model: string;
  readonly cases: readonly RecordingCase[];
  /** Whether plain and streamed answers are the same. */
  readonly repeatable: boolean;
}

/** A server that speaks the wires, and is not part of this project. */
export interface IndependentServer {
  /** Folder of its recordings. */
  readonly folder: string;
  /** With its version: the `origin` of its recordings. */
  readonly name: string;
  /** Installs and starts it. */
  start(): Promise<{ readonly recorded: readonly Recorded[]; stop(): void }>;
}

/** Runs the commands once per machine. @returns the folder */
export function installOnce(
  name: string,
  commands: (folder: string) => readonly (readonly [program: string, ...args: string[]])[],
): string {
  const folder = join(tmpdir(), 'koine-recorded-servers', name);
  const isInstalled = join(folder, 'installed');
  if (existsSync(isInstalled)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'installing'), { recursive: true });
  for (const [program, ...args] of commands(folder)) execFileSync(program, args, { stdio: 'inherit', cwd: folder });
  renameSync(join(folder, 'installing'), isInstalled);
  return folder;
}

/** @returns commands that install packages into a virtual environment of Python in the folder */
export const pythonPackages =
  (...packages: readonly string[]) =>
  (folder: string): readonly (readonly [string, ...string[]])[] => [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin/pip'), 'install', '--quiet', '--only-binary', ':all:', ...packages],
  ];

const START_MS = 120_000;

const responds = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Starts a process that serves HTTP at the port, and waits for its first response. */
export async function startProcess(
  command: (port: number) => readonly [program: string, ...args: string[]],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly url: string; stop(): void }> {
  const port = await findFreePort({ host: '127.0.0.1', port: 0 });
  const [program, ...args] = command(port);
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + START_MS;
  while (!(await responds(url))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode} before it served.`);
    if (performance.now() > deadline) {
      child.kill();
      throw new Error(`${program} did not serve on port ${port} within ${START_MS / 1000} s.`);
    }
    await delay(200);
  }
  return { url, stop: () => void child.kill() };
}
