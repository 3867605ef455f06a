import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Running } from '../gateways/processes.ts';

/** Another gateway, measured beside this one. It is installed for the run, and no part of the project. */
export interface Peer {
  readonly name: string;
  /** What it does not do in the run, in one sentence. */
  readonly leavesOut: string;
  /** Sent with each request. */
  headers(upstream: string): Readonly<Record<string, string>>;
  /** Installs it where it is not there yet, and starts it. */
  start(upstream: string): Promise<Running>;
}

/** The folder where a package is installed once for all runs on this machine, by a command that is given the folder. */
export function installOnce(name: string, commands: (folder: string) => readonly (readonly string[])[]): string {
  const folder = join(tmpdir(), 'koine-bench-peers', name);
  if (existsSync(join(folder, 'installed'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'installing'), { recursive: true });
  for (const [program = '', ...args] of commands(folder)) {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000 });
  }
  renameSync(join(folder, 'installing'), join(folder, 'installed'));
  return folder;
}
