import { readdirSync, readFileSync } from 'node:fs';

const PAUSE_MS = 1_500;
const RUN_MS = 2_500;

interface Status {
  readonly parent: number;
  readonly isStopped: boolean;
}

/** Of a process, from Linux's /proc; undefined if it has ended. */
const readStatus = (pid: number): Status | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, can contain anything.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(parent), isStopped: state === 'T' };
  } catch {
    return undefined;
  }
};

/** What this process has started, and what those have started: each after its parent. */
const listDescendants = (): readonly number[] => {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    const parent = readStatus(pid)?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found = [...(children.get(process.pid) ?? [])];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
};

const signal = (pid: number, name: 'SIGSTOP' | 'SIGCONT'): void => {
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
  let paused: number[] = [];
  let timer: NodeJS.Timeout;
  const resumeAll = (): void => paused.forEach((pid) => signal(pid, 'SIGCONT'));
  const pause = (): void => {
    paused = [];
    // A process that a test has stopped stays stopped. Tests are the first to stop, so they stop no others meanwhile.
    for (const pid of listDescendants()) {
      if (readStatus(pid)?.isStopped !== false) continue;
      signal(pid, 'SIGSTOP');
      paused.push(pid);
    }
    timer = setTimeout(resume, PAUSE_MS);
  };
  const resume = (): void => {
    resumeAll();
    timer = setTimeout(pause, RUN_MS);
  };
  timer = setTimeout(pause, RUN_MS);
  return () => {
    clearTimeout(timer);
    resumeAll();
  };
};
