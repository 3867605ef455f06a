import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Run } from '../../../test/core/cli/run-koine.ts';

/** A command of `koine`. */
export interface CommandJob {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The importer has planted faults. */
  readonly planted?: boolean;
}
/** How it ended. Without a code it threw something, which is in `err`. */
export interface CommandResult extends Run {
  readonly cpuMs: number;
}

/** More than any command takes, in CPU time of its process. */
export const MOST_CPU_MS = 5_000;
const QUICK_START = new URL('../../../bin/quick-start.js', import.meta.url).href;
/** The time after which a command is taken for one that never ends. */
const DEADLINE_MS = 120_000;

/** Runs commands in a process of its own, with a heap of 512 MB. */
export class CommandRunner {
  readonly #child: ChildProcess;
  readonly #kill = (): void => void this.#child.kill('SIGKILL');
  #exited = false;
  #stderr = '';

  constructor() {
    this.#child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
      silent: true,
      // The program's cache of compiled code: without it, the compiler of TypeScript reads a thousand files.
      execArgv: ['--max-old-space-size=512', '--expose-gc', '--import', QUICK_START],
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.#child.once('exit', () => (this.#exited = true));
    process.once('exit', this.#kill);
  }

  get exited(): boolean {
    return this.#exited;
  }

  /** @throws Error if the process ends, or the command does not end in time */
  async run(job: CommandJob): Promise<CommandResult> {
    return (await this.#ask(job)) as CommandResult;
  }

  async heap(): Promise<number> {
    return Number(await this.#ask('heap'));
  }

  async stop(): Promise<void> {
    process.off('exit', this.#kill);
    if (this.#exited) return;
    const exit = once(this.#child, 'exit');
    this.#kill();
    await exit;
  }

  async #ask(message: CommandJob | 'heap'): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onExit = (): void => reject(new Error(`the process has ended: ${this.#stderr.slice(-500)}`));
    const timer = setTimeout(() => {
      this.#kill();
      reject(new Error('the command has not ended'));
    }, DEADLINE_MS);
    this.#child.once('message', resolve).once('exit', onExit);
    this.#child.send(message);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#child.off('message', resolve).off('exit', onExit);
    }
  }
}

/** What no command may do, whatever it reads. */
export function readCommandFlaw({ code, out, err, cpuMs }: CommandResult, most = MOST_CPU_MS): string | undefined {
  if (code === null) return `an exception: ${err.slice(0, 500)}`;
  if (cpuMs > most) return `${Math.round(cpuMs)} ms of CPU time`;
  if (/\n\s+at \S.*:\d+:\d+/.test(err + out)) return `a stack trace: ${err.slice(0, 500)}`;
  if (code !== 0 && err.trim() === '') return `the exit code ${code} without a message`;
  return undefined;
}
