import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const isLinux = process.platform === 'linux';
const has = (command: string): boolean => spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Whether processes can be held on processors of their own. */
export const isPinned = isLinux && availableParallelism() > 1 && has('taskset');
export const hasWrk = has('wrk');

/** Where a process runs: gateways on the first processor, the load and the upstream on the others, or any on all. */
export type ProcessRole = 'gateway' | 'load' | 'any';
const last = availableParallelism() - 1;
const processors: Readonly<Record<ProcessRole, string>> = { gateway: '0', load: `1-${last}`, any: `0-${last}` };

/** A command line, held on its processors where that can be done. */
export function pinned(role: ProcessRole, command: readonly string[]): readonly [program: string, ...args: string[]] {
  const [program = '', ...args] = isPinned ? ['taskset', '-c', processors[role], ...command] : command;
  return [program, ...args];
}
/** Holds this process, which makes a part of the load. */
export function pinThisProcess(): void {
  if (isPinned) execFileSync('taskset', ['-a', '-cp', processors.load, String(process.pid)], { stdio: 'ignore' });
}

/** The process and all that it has started. */
export function treeOf(pid: number): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const parents = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  // The list grows while it is read: children of children are found as well.
  for (const parent of found) for (const [child = 0, of] of parents) if (of === parent) found.push(child);
  return found;
}

const TICKS_PER_SECOND = isLinux ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 0;
const readTicks = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in brackets and may hold spaces.
  // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
};
const readPs = (pid: number, field: string): string =>
  execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();

/** Processor time of these processes so far, user and system, all threads. Microseconds. */
export function cpuTime(pids: readonly number[]): number {
  if (isLinux) return (pids.reduce((sum, pid) => sum + readTicks(pid), 0) / TICKS_PER_SECOND) * 1e6;
  const seconds = (time: string): number => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return pids.reduce((sum, pid) => sum + seconds(readPs(pid, 'time')), 0) * 1e6;
}

/** Resident memory of these processes. Bytes. */
export const residentMemory = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + Number(readPs(pid, 'rss')) * 1_024, 0);
