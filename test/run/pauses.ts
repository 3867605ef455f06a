import { readdirSync, readFileSync } from 'node:fs';

const PAUSE_MS = 1_500;
const RUN_MS = 2_500;

interface Status {
  readonly parent: number;
  /** By a test. */
  readonly isStopped: boolean;
}

/** Of every process, from Linux's /proc. */
const readProcesses = (): ReadonlyMap<number, Status> => {
  const processes = new Map<number, Status>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name of the program, in parentheses, can contain anything.
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      processes.set(pid, { parent: Number(parent), isStopped: state === 'T' });
    } catch {
      // It has ended.
    }
  }
  return processes;
};

/** What this process has started, and what those have started, as far as it is not stopped. */
const runningDescendants = (): readonly number[] => {
  const processes = readProcesses();
  const isBelow = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent;
    return parent !== undefined && (parent === process.pid || isBelow(parent));
  };
  return [...processes].filter(([pid, { isStopped }]) => !isStopped && isBelow(pid)).map(([pid]) => pid);
};

const signal = (pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void => {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // It has ended.
    }
};

/**
 * Stops all processes of the tests for a moment, again and again: test processes, gateways, stores and browsers. A
 * virtual machine that is not scheduled looks the same to them: deadlines have passed before what arrived is read.
 * @returns ends it
 */
export const pauseAgainAndAgain = (): (() => void) => {
  let paused: readonly number[] = [];
  let timer: NodeJS.Timeout;
  const pause = (): void => {
    paused = runningDescendants();
    signal(paused, 'SIGSTOP');
    timer = setTimeout(resume, PAUSE_MS);
  };
  const resume = (): void => {
    signal(paused, 'SIGCONT');
    timer = setTimeout(pause, RUN_MS);
  };
  timer = setTimeout(pause, RUN_MS);
  return () => {
    clearTimeout(timer);
    signal(paused, 'SIGCONT');
  };
};
